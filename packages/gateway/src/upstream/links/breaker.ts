/**
 * Whether a link accepts calls. A link whose calls time out in a row is assumed to hang: further calls fail
 * immediately, so that their callers do not wait for the timeout, until a single trial call was answered.
 */
export type BreakerState =
  | { readonly kind: 'closed'; readonly timeouts: number }
  /** No calls before `until`, in epoch milliseconds. `opened` counts how often it opened in a row. */
  | { readonly kind: 'open'; readonly until: number; readonly opened: number }
  /** One trial call is running. */
  | { readonly kind: 'half_open'; readonly opened: number }

/** The breaker of a link whose calls are answered. */
export const closedBreaker: BreakerState = { kind: 'closed', timeouts: 0 }

/** From this many timeouts in a row, a link counts as hanging. */
export const breakerTimeouts = 5

const firstPauseMs = 5_000
const longestPauseMs = 60_000

/**
 * What happens to a call: it passes, it is the trial call, or it is refused and may be retried after some milliseconds.
 */
export type BreakerVerdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'try' }
  | { readonly kind: 'refused'; readonly retryAfterMs: number }

const pass: BreakerVerdict = { kind: 'pass' }

/** Whether a call may start now. */
export function judgeBreaker(state: BreakerState, now: number): BreakerVerdict {
  if (state.kind === 'closed') return pass
  // While the trial call runs, other calls may retry a moment later.
  if (state.kind === 'half_open') return { kind: 'refused', retryAfterMs: 1_000 }
  return now >= state.until ? { kind: 'try' } : { kind: 'refused', retryAfterMs: state.until - now }
}

/** The state after the start of a trial call. */
export function halfOpened(state: BreakerState): BreakerState {
  return { kind: 'half_open', opened: state.kind === 'closed' ? 0 : state.opened }
}

/** The state after a call that timed out. @param random a number in [0, 1); reduces the pause by up to half */
export function afterTimeout(state: BreakerState, now: number, random: number): BreakerState {
  if (state.kind === 'open') return state
  if (state.kind === 'closed' && state.timeouts + 1 < breakerTimeouts) {
    return { kind: 'closed', timeouts: state.timeouts + 1 }
  }
  const opened = state.kind === 'closed' ? 0 : state.opened
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** opened) * (1 - random / 2)
  return { kind: 'open', until: now + pauseMs, opened: opened + 1 }
}

/**
 * The state after a call that ended without an answer or timeout, for example by a cancel: the next call is the trial.
 */
export function afterNothing(state: BreakerState, now: number): BreakerState {
  return state.kind === 'half_open' ? { kind: 'open', until: now, opened: state.opened } : state
}

const order: readonly BreakerState['kind'][] = ['closed', 'half_open', 'open']

/** The state that lets fewer calls through. */
export function worse(a: BreakerState['kind'], b: BreakerState['kind']): BreakerState['kind'] {
  return order.indexOf(a) < order.indexOf(b) ? b : a
}
