import { describe, expect, it } from 'vitest'
import { afterFailure, noAttempts } from './backoff.ts'

describe('afterFailure', () => {
  it('doubles the pause from half a second up to half a minute', () => {
    const pauses: number[] = []
    let attempts = noAttempts
    for (let failure = 0; failure < 9; failure += 1) {
      attempts = afterFailure(attempts, 1_000, 0, 0)
      pauses.push(attempts.notBefore - 1_000)
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
    expect(attempts.failures).toBe(9)
  })

  it('takes at most half of the pause off, so that nodes do not retry at the same time', () => {
    const late = afterFailure(noAttempts, 0, 0, 0)
    const early = afterFailure(noAttempts, 0, 0, 0.999_999)
    expect(early.notBefore).toBeGreaterThanOrEqual(late.notBefore / 2)
    expect(early.notBefore).toBeLessThan(late.notBefore)
  })

  it('starts a new count when the link had been healthy', () => {
    const broken = { failures: 7, notBefore: 0 }
    expect(afterFailure(broken, 0, 60_000, 0)).toEqual({ failures: 1, notBefore: 500 })
    expect(afterFailure(broken, 0, 59_999, 0).failures).toBe(8)
  })
})
