/** How a process is doing. `crash_looping` is still tried, at the longest pause. */
export type RestartPhase = 'starting' | 'running' | 'waiting' | 'crash_looping' | 'closed'

/** All that decides when a process may be started next. Times are milliseconds of one clock. */
export interface RestartState {
  readonly phase: RestartPhase
  /** Quick ends in a row. */
  readonly failures: number
  /** Since when it runs, if it does. */
  readonly startedAt: number | undefined
  /** It is not to be started before this. */
  readonly notBefore: number
}

export type RestartEvent =
  | { readonly kind: 'started' }
  /** Ended, or could not be started. `random` is a number in [0, 1), for the jitter. */
  | { readonly kind: 'exited'; readonly random: number }
  | { readonly kind: 'closed' }

const firstPauseMs = 500
const longestPauseMs = 30_000
/** What ran this long was healthy: its end begins a new count. */
const healthyMs = 60_000
const crashLoopFailures = 5

export const neverStarted: RestartState = { phase: 'starting', failures: 0, startedAt: undefined, notBefore: -Infinity }

/**
 * The state after an event. The pause doubles with each quick end, from half a second to half a minute; the jitter takes
 * up to half of it off, so that many processes do not come back at once.
 */
export function nextRestart(state: RestartState, event: RestartEvent, now: number): RestartState {
  if (state.phase === 'closed') return state
  if (event.kind === 'closed') return { ...state, phase: 'closed', startedAt: undefined, notBefore: Infinity }
  if (event.kind === 'started') return { ...state, phase: 'running', startedAt: now }
  const lived = state.startedAt === undefined ? 0 : now - state.startedAt
  const failures = lived >= healthyMs ? 1 : state.failures + 1
  const looping = failures >= crashLoopFailures
  const pause = looping ? longestPauseMs : firstPauseMs * 2 ** (failures - 1)
  const notBefore = now + pause * (1 - event.random / 2)
  return { phase: looping ? 'crash_looping' : 'waiting', failures, startedAt: undefined, notBefore }
}

export interface RestartPolicyOptions {
  /** Milliseconds, from any start. */
  readonly now: () => number
  /** A number in [0, 1). */
  readonly random: () => number
  /** Told of every change of phase. */
  readonly onPhase?: (phase: RestartPhase) => void
}

/** When a process that ends may be started again. Whoever starts it tells the policy what happens. */
export interface RestartPolicy {
  readonly phase: RestartPhase
  /** The time, on the policy's clock, from which on it may be started; Infinity when it is closed. */
  allowedAt(): number
  started(): void
  exited(): void
  /** It is not to be started again. */
  close(): void
}

export function createRestartPolicy({ now, random, onPhase }: RestartPolicyOptions): RestartPolicy {
  let state = neverStarted
  const take = (event: RestartEvent): void => {
    const before = state.phase
    state = nextRestart(state, event, now())
    if (state.phase !== before) onPhase?.(state.phase)
  }
  return {
    get phase() {
      return state.phase
    },
    allowedAt: () => state.notBefore,
    started: () => take({ kind: 'started' }),
    exited: () => take({ kind: 'exited', random: random() }),
    close: () => take({ kind: 'closed' }),
  }
}
