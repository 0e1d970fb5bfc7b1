import type { CallContext } from '@junctor/exchange'
import type { Answer } from '@junctor/jsonrpc'
import type { Scope } from '@junctor/contracts'
import type { LogLevel } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { CallerView } from '../../upstream/callers/caller-view.ts'
import { CallerLinks, type SlotSource } from '../../upstream/callers/caller-links.ts'
import type { Caller } from '../../upstream/callers/caller.ts'
import type { LinkSlot } from '../../upstream/links/link-slot.ts'

/**
 * All requests of one principal of one tenant that have no session. No stream exists for messages outside these
 * requests.
 */
export class SessionlessCaller implements Caller {
  readonly id = undefined
  readonly context: CallContext
  readonly ended = false
  logLevel: LogLevel | undefined
  lastView: CallerView | undefined
  subscriptions = 0
  readonly #links: CallerLinks
  #tenant: TenantEntry

  constructor(tenant: TenantEntry, context: CallContext, source: SlotSource) {
    this.#tenant = tenant
    this.context = context
    this.#links = new CallerLinks(source)
  }

  get tenant(): TenantEntry {
    return this.#tenant
  }

  /** Applies a new configuration of its tenant. */
  applyConfig(tenant: TenantEntry): void {
    for (const entry of this.#tenant.backends) if (!tenant.backends.includes(entry)) this.#links.forget(entry)
    this.#tenant = tenant
    this.lastView = undefined
  }

  scope(entry: BackendEntry): Scope {
    return this.#links.scope(entry, this.context)
  }

  slot(entry: BackendEntry): LinkSlot {
    return this.#links.slot(entry, this.context)
  }

  slots(): readonly LinkSlot[] {
    return this.#links.slots()
  }

  setCallerToken(callerToken: string): void {
    this.#links.callerToken = callerToken
  }

  notify(): void {}

  ask(): Promise<Answer> {
    return Promise.resolve({ error: { code: -32_601, message: 'There is no session to ask on' } })
  }
}
