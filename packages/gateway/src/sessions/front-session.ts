import type { CallContext, OpenExchange, Principal } from '@junctor/exchange'
import type { Session, Tenant } from '@junctor/contracts'
import type { Pending } from '@junctor/jsonrpc'
import type { Extensions, Revision } from '@junctor/protocol'
import { ownerOf } from '../jobs/job-record.ts'

/** A session as one node serves it: at home here, or visiting from the node where it is at home. */
export class FrontSession implements Session {
  readonly id: string
  readonly tenant: Tenant
  readonly principal: Principal
  readonly revision: Revision
  /** What its requests carry from now on. */
  context: CallContext
  /** The node where it is at home now. What is at work for it when it moves goes on where it is. */
  home: string
  /** Whose jobs its requests make. Worked out when first used. */
  #jobOwner: string | undefined
  /** Epoch milliseconds when this node was last asked for the session. */
  used = 0
  /** Its home knows that it is owed answers, or may be. */
  isHomeTold = false
  /** Epoch milliseconds when its home was last told that it waits for an answer. */
  waitToldAt: number = -Infinity
  /** Requests of this session that this node has open. Made when first used: most sessions are idle. */
  inFlight: Pending<OpenExchange> | undefined

  constructor(id: string, tenant: Tenant, context: CallContext, home: string) {
    this.id = id
    this.tenant = tenant
    this.principal = context.principal
    this.revision = context.revision
    this.context = context
    this.home = home
  }

  /** Its client and the gateway use these from now on. */
  agreed(extensions: Extensions): void {
    this.context = { ...this.context, extensions }
  }

  get jobOwner(): string {
    this.#jobOwner ??= ownerOf(this.context)
    return this.#jobOwner
  }
}
