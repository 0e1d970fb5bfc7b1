import type { CallContext, OpenExchange, Principal } from '@junctor/exchange'
import type { Session, Tenant } from '@junctor/contracts'
import type { Dialect, Pending } from '@junctor/jsonrpc'
import type { Extensions, Revision } from '@junctor/protocol'
import { ownerOf } from '../../jobs/record/job-record.ts'

/** A session as one node serves it. Its home is this node, or the session visits from its home node. */
export class FrontSession implements Session {
  readonly id: string
  readonly tenant: Tenant
  readonly principal: Principal
  readonly revision: Revision
  /** The context that new requests of the session get. */
  context: CallContext
  /**
   * The JSON-RPC version of its client's last request at this node. Until then, that which its home has recorded. Its home
   * knows the version of the last message.
   */
  dialect: Dialect
  /** The current home node of the session. Running work stays on its node when the session moves. */
  home: string
  /** Tenant and principal: the owner of its streams, and of the jobs that its requests create. Computed on first use. */
  #owner: string | undefined
  /** Epoch milliseconds when a request on this node last used the session. */
  used = 0
  /** Whether its home node knows that the session waits for answers, or may do so. */
  isHomeInformed = false
  /** Epoch milliseconds when this node last sent `session-waits` to the home node. */
  waitReportedAt: number = -Infinity
  /** Open requests of this session on this node. Created on first use, because most sessions are idle. */
  inFlight: Pending<OpenExchange> | undefined

  constructor(id: string, tenant: Tenant, context: CallContext, home: string, dialect: Dialect) {
    this.id = id
    this.tenant = tenant
    this.principal = context.principal
    this.revision = context.revision
    this.context = context
    this.home = home
    this.dialect = dialect
  }

  /** Sets the extensions that the client and the gateway use from now on. */
  setExtensions(extensions: Extensions): void {
    this.context = { ...this.context, extensions }
  }

  get owner(): string {
    this.#owner ??= ownerOf(this.context)
    return this.#owner
  }
}
