import type { Situation } from '@junctor/protocol'
import type { EndReason } from './outcome.ts'

/** What a client is told when its request ends without an outcome. `undefined`: nothing. */
export const endSituations: Readonly<Record<EndReason, Situation | undefined>> = {
  cancelled: 'cancelled',
  // Nobody is there to be told.
  disconnected: undefined,
  deadline: 'deadline_exceeded',
  session_ended: 'session_unknown',
  // The handler was at work: whether it took effect is unknown, and the client should not simply try again.
  lease_lost: 'backend_exited',
  shutdown: 'backend_exited',
}
