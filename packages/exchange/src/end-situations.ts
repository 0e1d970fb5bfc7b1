import type { Situation } from '@junctor/protocol'
import type { EndReason } from './outcome.ts'

/** The error that a client receives when its request ends without an outcome. `undefined`: none. */
export const endSituations: Readonly<Record<EndReason, Situation | undefined>> = {
  cancelled: 'cancelled',
  // The client is gone, so no error can be sent.
  disconnected: undefined,
  deadline: 'deadline_exceeded',
  session_ended: 'session_unknown',
  // The handler had started: its effects are unknown, so the client should not simply retry.
  lease_lost: 'backend_exited',
  shutdown: 'backend_exited',
}
