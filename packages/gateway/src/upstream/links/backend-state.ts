import type { LinkFact } from '@junctor/contracts'
import type { Attempts } from './backoff.ts'
import { crashLoopFailures, noAttempts } from './backoff.ts'

/** How a backend does, in a word. */
export type BackendCondition = Extract<LinkFact, { kind: 'backend_state' }>['state']

/** What is known of a backend by what became of its links. */
export interface BackendState {
  /** Opens that failed, of any scope: a backend that cannot start is not tried by every session. */
  opens: Attempts
  error: Error | undefined
  reached: boolean
  /** The last attempt failed, and nothing has opened since. */
  down: boolean
  /** The condition that was told last. */
  told: BackendCondition
}

/** Of a backend that nobody has tried to reach. */
export function newBackendState(): BackendState {
  return { opens: noAttempts, error: undefined, reached: false, down: false, told: 'starting' }
}

/** @param failures in a row, of opens and of links that broke young, whichever are more */
export function conditionOf({ down, reached }: BackendState, failures: number): BackendCondition {
  if (failures >= crashLoopFailures) return 'crash_looping'
  if (down) return 'down'
  // A link that is still opening has a permit, too: only one that has opened shows that the backend is there.
  return reached ? 'up' : 'starting'
}
