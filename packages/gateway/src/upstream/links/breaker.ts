/**
 * Whether calls are let through to a link. A link whose calls time out one after the other is taken to hang: further calls
 * fail at once, so that their callers need not wait for a deadline that will not be met, until a single call has tried
 * and been answered.
 */
export type BreakerState =
  | { readonly kind: 'closed'; readonly timeouts: number }
  /** No calls before `until`, epoch milliseconds. `opened` counts how often in a row. */
  | { readonly kind: 'open'; readonly until: number; readonly opened: number }
  /** One call is on its way to find out. */
  | { readonly kind: 'half_open'; readonly opened: number }

export const closedBreaker: BreakerState = { kind: 'closed', timeouts: 0 }

/** From this many time-outs in a row on a link counts as hanging. */
export const breakerTimeouts = 5

const firstPauseMs = 5_000
const longestPauseMs = 60_000

/** What becomes of a call: it goes, it goes to find out, or it is refused, to be tried again after so many milliseconds. */
export type Passage =
  | { readonly kind: 'pass' }
  | { readonly kind: 'try' }
  | { readonly kind: 'refused'; readonly retryAfterMs: number }

const pass: Passage = { kind: 'pass' }

/** Whether a call may go now. */
export function passageAt(state: BreakerState, now: number): Passage {
  if (state.kind === 'closed') return pass
  // While one call finds out, the others come back a moment later.
  if (state.kind === 'half_open') return { kind: 'refused', retryAfterMs: 1_000 }
  return now >= state.until ? { kind: 'try' } : { kind: 'refused', retryAfterMs: state.until - now }
}

/** A call that was to find out is on its way. */
export function halfOpened(state: BreakerState): BreakerState {
  return { kind: 'half_open', opened: state.kind === 'closed' ? 0 : state.opened }
}

/** The state after a call that was not answered in time. @param random a number in [0, 1), takes up to half off the pause */
export function afterTimeout(state: BreakerState, now: number, random: number): BreakerState {
  if (state.kind === 'open') return state
  if (state.kind === 'closed' && state.timeouts + 1 < breakerTimeouts) {
    return { kind: 'closed', timeouts: state.timeouts + 1 }
  }
  const opened = state.kind === 'closed' ? 0 : state.opened
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** opened) * (1 - random / 2)
  return { kind: 'open', until: now + pauseMs, opened: opened + 1 }
}

/** The state after any answer, errors included: a link that answers does not hang. */
export function afterAnswer(): BreakerState {
  return closedBreaker
}

/** The state after a call that ended without telling anything, cancelled perhaps: the next one finds out. */
export function afterNothing(state: BreakerState, now: number): BreakerState {
  return state.kind === 'half_open' ? { kind: 'open', until: now, opened: state.opened } : state
}

const order: readonly BreakerState['kind'][] = ['closed', 'half_open', 'open']

/** The one that lets less through. */
export function worse(a: BreakerState['kind'], b: BreakerState['kind']): BreakerState['kind'] {
  return order.indexOf(a) < order.indexOf(b) ? b : a
}
