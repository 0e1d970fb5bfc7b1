import type { Session } from '@junctor/contracts'
import type { OpenExchange } from '@junctor/exchange'
import type { Pending } from '@junctor/jsonrpc'

/** The owner of a request: a session as this node serves it, or the request itself when it has no session. */
export interface RequestOwner extends Pick<Session, 'tenant' | 'revision' | 'context' | 'home'> {
  /** Its open requests on this node. Created on first use; without a session, only for connections of many requests. */
  inFlight: Pending<OpenExchange> | undefined
}
