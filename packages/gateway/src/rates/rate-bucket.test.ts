import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RateBucket } from './rate-bucket.ts'

// The library uses the clock of the process.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const rate = { calls: 3, windowMs: 1_000 }

function createBucket(of = rate): RateBucket {
  return new RateBucket(
    of,
    (calls, forMs) => new RateLimiterMemory({ points: calls, duration: forMs / 1000, keyPrefix: '' }),
  )
}

function takes(bucket: RateBucket, count: number): readonly boolean[] {
  return Array.from({ length: count }, () => bucket.take(Date.now()))
}

test('admits the calls of a window, and again those of the next', () => {
  const bucket = createBucket()
  expect(takes(bucket, 5)).toEqual([true, true, true, false, false])
  expect(bucket.retryAfterMs(Date.now())).toBe(1_000)
  vi.advanceTimersByTime(999)
  expect(bucket.retryAfterMs(Date.now())).toBe(1)
  expect(takes(bucket, 1)).toEqual([false])
  vi.advanceTimersByTime(1)
  expect(takes(bucket, 4)).toEqual([true, true, true, false])
})

test('a window begins with its first call', () => {
  const bucket = createBucket()
  takes(bucket, 3)
  vi.advanceTimersByTime(1_700)
  expect(takes(bucket, 3)).toEqual([true, true, true])
  vi.advanceTimersByTime(900)
  expect(takes(bucket, 1)).toEqual([false])
})

test('the clock of the system may be set back: no window becomes longer', () => {
  const bucket = createBucket()
  expect([0, 0, 0, 0].map((now) => bucket.take(now))).toEqual([true, true, true, false])
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(bucket.take(500)).toBe(false)
  expect(bucket.retryAfterMs(500)).toBe(500)
  vi.advanceTimersByTime(1_000)
  expect(bucket.take(1_000)).toBe(true)
})

test('a call that is given back makes room for another', () => {
  const bucket = createBucket()
  takes(bucket, 3)
  bucket.giveBack(Date.now())
  expect(takes(bucket, 2)).toEqual([true, false])
  expect(bucket.takeUnsent()).toEqual({ tried: 4, admitted: 3 })
})

test('nothing is given back to a window without calls', () => {
  const bucket = createBucket()
  takes(bucket, 1)
  vi.advanceTimersByTime(1_000)
  bucket.giveBack(Date.now())
  expect(takes(bucket, 4)).toEqual([true, true, true, false])
})

test('calls that other nodes have admitted leave less room in this window', () => {
  const bucket = createBucket()
  takes(bucket, 1)
  bucket.countRemote({ tried: 2, admitted: 2 }, Date.now())
  expect(takes(bucket, 1)).toEqual([false])
  vi.advanceTimersByTime(1_000)
  expect(takes(bucket, 1)).toEqual([true])
})

test('tells each call once', () => {
  const bucket = createBucket()
  takes(bucket, 5)
  expect(bucket.takeUnsent()).toEqual({ tried: 5, admitted: 3 })
  expect(bucket.takeUnsent()).toEqual({ tried: 0, admitted: 0 })
})

test('is urgent from a fortieth of the limit on', () => {
  const bucket = createBucket({ calls: 200, windowMs: 1_000 })
  takes(bucket, 4)
  expect(bucket.isUrgent).toBe(false)
  takes(bucket, 1)
  expect(bucket.isUrgent).toBe(true)
  bucket.takeUnsent()
  expect(bucket.isUrgent).toBe(false)
})

test('is forgotten after a window without calls', () => {
  const bucket = createBucket()
  takes(bucket, 1)
  vi.advanceTimersByTime(1_999)
  expect(bucket.isForgotten).toBe(false)
  vi.advanceTimersByTime(1)
  expect(bucket.isForgotten).toBe(true)
})

test.each([
  ['as much at both', 1, 1],
  ['unequal', 3, 1],
  ['far above the limit', 20, 20],
])('two nodes in a steady load, %s, admit the limit together', (_, ofOne, ofOther) => {
  const [limit, windows] = [100, 8]
  const one = createBucket({ calls: limit, windowMs: 1_000 })
  const other = createBucket({ calls: limit, windowMs: 1_000 })
  let admitted = 0
  // Every 10 ms some calls; every 50 ms the nodes exchange their counts.
  for (let step = 0; step < windows * 100; step += 1) {
    const now = Date.now()
    if (step === 100) admitted = 0
    admitted += [...takes(one, ofOne), ...takes(other, ofOther)].filter(Boolean).length
    if (step % 5 === 4) {
      other.countRemote(one.takeUnsent(), now)
      one.countRemote(other.takeUnsent(), now)
    }
    vi.advanceTimersByTime(10)
  }
  const mean = admitted / (windows - 1)
  expect(mean).toBeGreaterThan(limit * 0.9)
  expect(mean).toBeLessThan(limit * 1.1)
})
