import type { Session } from '@junctor/contracts'
import type { OpenExchange } from '@junctor/exchange'
import type { Pending } from '@junctor/jsonrpc'

/** Whose a request is: a session as this node serves it; or, of a caller without one, this one request. */
export interface RequestOwner extends Pick<Session, 'tenant' | 'revision' | 'context' | 'home'> {
  /** Its requests that this node has open. Made when first used. */
  inFlight: Pending<OpenExchange> | undefined
}
