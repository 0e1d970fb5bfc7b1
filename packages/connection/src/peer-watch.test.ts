import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PeerWatch } from './peer-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('asks a silent peer for a sign of life, and then takes it to be gone', () => {
  const told: string[] = []
  const watch = new PeerWatch({
    keepAliveMs: 10,
    stalledMs: 20,
    ask: () => told.push('ask'),
    gone: () => told.push('gone'),
    failed: expect.unreachable,
  })
  vi.advanceTimersByTime(10)
  watch.heard()
  vi.advanceTimersByTime(30)
  expect(told).toEqual(['ask', 'ask', 'ask', 'gone'])
  watch.stop()
})

it('tells what is thrown when it asks, and when it says that the peer is gone, and goes on', () => {
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
