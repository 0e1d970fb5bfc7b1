import { type AccessSituation, accessErrors } from './access-errors.ts'
import { type CallSituation, callErrors } from './call-errors.ts'
import type { ErrorRow } from './error-row.ts'
import { type MessageSituation, messageErrors } from './message-errors.ts'
import { type NegotiationSituation, negotiationErrors } from './negotiation-errors.ts'

/** Every situation in which Junctor itself sends an error. The name is the value of `data.reason`. */
export type Situation = MessageSituation | CallSituation | AccessSituation | NegotiationSituation

/** The list of all errors that Junctor sends: their titles, and their codes for each kind of peer. */
export const catalogue: Readonly<Record<Situation, ErrorRow>> = {
  ...messageErrors,
  ...callErrors,
  ...accessErrors,
  ...negotiationErrors,
}
