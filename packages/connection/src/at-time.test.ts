import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { atTime } from './at-time.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const unreachable = (error: unknown): never => expect.unreachable(String(error))

it('runs the action once at the given time, also months ahead, unless it is cancelled', () => {
  const acted: string[] = []
  const month = 32 * 24 * 60 * 60 * 1000
  atTime(Date.now() + month, () => acted.push('far'), unreachable)
  atTime(Date.now() + 10, () => acted.push('taken back'), unreachable)()
  vi.advanceTimersByTime(month - 1)
  expect(acted).toEqual([])
  vi.advanceTimersByTime(1)
  expect(acted).toEqual(['far'])
})

it('reports an error of the action', () => {
  const failed: unknown[] = []
  const error = new Error('broken')
  const act = (): never => {
    throw error
  }
  atTime(Date.now() + 1, act, (one) => failed.push(one))
  vi.advanceTimersByTime(1)
  expect(failed).toEqual([error])
})
