import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PeerWatch } from './peer-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('pings a silent peer, and then treats it as gone', () => {
  const calls: string[] = []
  const watch = new PeerWatch({
    keepAliveMs: 10,
    stalledMs: 20,
    ask: () => calls.push('ask'),
    gone: () => calls.push('gone'),
    failed: expect.unreachable,
  })
  vi.advanceTimersByTime(10)
  watch.received()
  vi.advanceTimersByTime(30)
  expect(calls).toEqual(['ask', 'ask', 'ask', 'gone'])
  watch.stop()
})

it('reports errors of the callbacks `ask` and `gone`, and continues', () => {
  const failed: unknown[] = []
  const error = new Error('broken')
  const broken = (): never => {
    throw error
  }
  const watch = new PeerWatch({
    keepAliveMs: 10,
    stalledMs: 20,
    ask: broken,
    gone: broken,
    failed: (one) => failed.push(one),
  })
  vi.advanceTimersByTime(30)
  expect(failed).toEqual([error, error, error])
  watch.stop()
})
