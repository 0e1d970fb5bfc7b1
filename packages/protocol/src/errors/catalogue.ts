import { type AccessSituation, accessErrors } from './access-errors.ts'
import { type CallSituation, callErrors } from './call-errors.ts'
import type { ErrorRow } from './error-row.ts'
import { type MessageSituation, messageErrors } from './message-errors.ts'
import { type NegotiationSituation, negotiationErrors } from './negotiation-errors.ts'

/** Every situation in which Junctor itself sends an error. The name is what `data.reason` says. */
export type Situation = MessageSituation | CallSituation | AccessSituation | NegotiationSituation

/** The one list of errors that Junctor sends: what each is called, and its codes for every kind of peer. */
export const catalogue: Readonly<Record<Situation, ErrorRow>> = {
  ...messageErrors,
  ...callErrors,
  ...accessErrors,
  ...negotiationErrors,
}
