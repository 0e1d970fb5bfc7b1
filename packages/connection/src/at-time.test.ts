import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { atTime } from './at-time.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const unreachable = (error: unknown): never => expect.unreachable(String(error))

it('acts once, however far away the time is, unless it is taken back', () => {
  const acted: string[] = []
  const month = 32 * 24 * 60 * 60 * 1000
  atTime(Date.now() + month, () => acted.push('far'), unreachable)
  atTime(Date.now() + 10, () => acted.push('taken back'), unreachable)()
  vi.advanceTimersByTime(month - 1)
  expect(acted).toEqual([])
  vi.advanceTimersByTime(1)
  expect(acted).toEqual(['far'])
})

it('tells what is thrown', () => {
  const failed: unknown[] = []
  const error = new Error('broken')
  const act = (): never => {
    throw error
  }
  atTime(Date.now() + 1, act, (one) => failed.push(one))
  vi.advanceTimersByTime(1)
  expect(failed).toEqual([error])
})
