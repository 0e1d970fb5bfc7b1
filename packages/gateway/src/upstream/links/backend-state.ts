import type { LinkEvent } from '@junctor/contracts'
import { type Attempts, crashLoopFailures, noAttempts } from './backoff.ts'

/** Whether a backend can be reached, as events and the status show it. */
export type BackendState = Extract<LinkEvent, { kind: 'backend_state' }>['state']

/** What the links of a backend have shown. */
export interface LinkRecord {
  /** Failed opens of all scopes, so that not every session tries a backend that cannot start. */
  opens: Attempts
  error: Error | undefined
  reached: boolean
  /** Whether the last attempt failed and no link has opened since. */
  down: boolean
  /** The state that was reported last. */
  reported: BackendState
}

/** The record of a backend before the first attempt. */
export function newLinkRecord(): LinkRecord {
  return { opens: noAttempts, error: undefined, reached: false, down: false, reported: 'starting' }
}

/** @param failures in a row: of opens, or of links that broke early, whichever are more */
export function stateOf({ down, reached }: LinkRecord, failures: number): BackendState {
  if (failures >= crashLoopFailures) return 'crash_looping'
  if (down) return 'down'
  // A link that is still opening does not show that the backend is reachable: only one that has opened does.
  return reached ? 'up' : 'starting'
}
