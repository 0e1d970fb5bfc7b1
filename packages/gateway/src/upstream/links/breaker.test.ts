import { describe, expect, it } from 'vitest'
import {
  afterNothing,
  afterTimeout,
  type BreakerState,
  breakerTimeouts,
  closedBreaker,
  halfOpened,
  judgeBreaker,
  worse,
} from './breaker.ts'

/** This many timeouts in a row, at the same moment. */
function timedOut(times: number, now = 0): BreakerState {
  let state = closedBreaker
  for (let count = 0; count < times; count++) state = afterTimeout(state, now, 0)
  return state
}

describe('a breaker', () => {
  it('lets calls through until enough of them in a row have timed out', () => {
    expect(judgeBreaker(timedOut(breakerTimeouts - 1), 0)).toEqual({ kind: 'pass' })
    expect(judgeBreaker(timedOut(breakerTimeouts), 0)).toEqual({ kind: 'refused', retryAfterMs: 5_000 })
  })

  it('lets one call try when its pause is over, and no other meanwhile', () => {
    const open = timedOut(breakerTimeouts)
    expect(judgeBreaker(open, 4_999)).toMatchObject({ kind: 'refused' })
    expect(judgeBreaker(open, 5_000)).toEqual({ kind: 'try' })
    expect(judgeBreaker(halfOpened(open), 5_000)).toMatchObject({ kind: 'refused' })
  })

  it('pauses twice as long after each try that failed, up to a minute, less the jitter', () => {
    let state = timedOut(breakerTimeouts)
    const pauses: number[] = []
    for (let tries = 0; tries < 5; tries++) {
      state = afterTimeout(halfOpened(state), 0, 0)
      if (state.kind === 'open') pauses.push(state.until)
    }
    expect(pauses).toEqual([10_000, 20_000, 40_000, 60_000, 60_000])
    expect(afterTimeout(halfOpened(timedOut(breakerTimeouts)), 0, 0.5)).toMatchObject({ until: 7_500 })
  })

  it('uses the next call as the trial when the trial call was cancelled', () => {
    const state = afterNothing(halfOpened(timedOut(breakerTimeouts)), 7_000)
    expect(judgeBreaker(state, 7_000)).toEqual({ kind: 'try' })
    expect(afterNothing(closedBreaker, 7_000)).toBe(closedBreaker)
  })

  it('does not open further by calls that were running when it opened', () => {
    const open = timedOut(breakerTimeouts)
    expect(afterTimeout(open, 100, 0)).toBe(open)
  })

  it('the worst of several breakers is reported', () => {
    expect(worse('closed', 'open')).toBe('open')
    expect(worse('open', 'half_open')).toBe('open')
    expect(worse('half_open', 'closed')).toBe('half_open')
  })
})
