import type { LinkEvent } from '@junctor/contracts'
import type { Attempts } from './backoff.ts'
import { crashLoopFailures, noAttempts } from './backoff.ts'

/** The condition of a backend. */
export type BackendCondition = Extract<LinkEvent, { kind: 'backend_state' }>['state']

/** What is known about a backend from the results of its links. */
export interface BackendState {
  /** Failed opens of all scopes, so that not every session tries a backend that cannot start. */
  opens: Attempts
  error: Error | undefined
  reached: boolean
  /** Whether the last attempt failed and no link has opened since. */
  down: boolean
  /** The condition that was reported last. */
  reported: BackendCondition
}

/** The state of a backend before the first attempt. */
export function newBackendState(): BackendState {
  return { opens: noAttempts, error: undefined, reached: false, down: false, reported: 'starting' }
}

/** @param failures in a row: of opens, or of links that broke early, whichever are more */
export function conditionOf({ down, reached }: BackendState, failures: number): BackendCondition {
  if (failures >= crashLoopFailures) return 'crash_looping'
  if (down) return 'down'
  // A link that is still opening does not show that the backend is reachable: only one that has opened does.
  return reached ? 'up' : 'starting'
}
