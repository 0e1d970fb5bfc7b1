import type { Identity } from '@junctor/contracts'
import type { CallContext, OpenExchange } from '@junctor/exchange'
import type { Pending } from '@junctor/jsonrpc'
import type { FrontSession } from '../../sessions/session/front-session.ts'
import { ofToken } from '../../shared/of-token.ts'
import type { RequestOwner } from './request-owner.ts'

/** The owner of a session's request, with what belongs to the token that this request has. */
export function ownerFor(session: FrontSession, identity: Identity): RequestOwner {
  const { scopes, callerToken } = identity
  return scopes === undefined && callerToken === undefined ? session : new TokenOwner(session, identity)
}

/** A session, for one request with a certain token. The next request may have another one. */
class TokenOwner implements RequestOwner {
  readonly context: CallContext
  readonly #session: FrontSession

  constructor(session: FrontSession, identity: Identity) {
    this.context = { ...session.context, ...ofToken(identity) }
    this.#session = session
  }

  get tenant(): FrontSession['tenant'] {
    return this.#session.tenant
  }

  get revision(): FrontSession['revision'] {
    return this.#session.revision
  }

  get home(): string {
    return this.#session.home
  }

  get inFlight(): Pending<OpenExchange> | undefined {
    return this.#session.inFlight
  }

  set inFlight(requests: Pending<OpenExchange> | undefined) {
    this.#session.inFlight = requests
  }
}
