import type { Identity } from '@junctor/contracts'
import type { CallContext, OpenExchange } from '@junctor/exchange'
import type { Pending } from '@junctor/jsonrpc'
import type { FrontSession } from '../sessions/front-session.ts'
import type { RequestOwner } from './request-owner.ts'

/** The owner of a session's request, with the scopes of the token that this request has. */
export function ownerFor(session: FrontSession, { scopes }: Identity): RequestOwner {
  return scopes === undefined ? session : new LimitedOwner(session, scopes)
}

/** A session, for one request whose token has certain scopes. The next request may have another token. */
class LimitedOwner implements RequestOwner {
  readonly context: CallContext
  readonly #session: FrontSession

  constructor(session: FrontSession, scopes: readonly string[]) {
    this.context = { ...session.context, scopes }
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
