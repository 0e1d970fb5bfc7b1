import type { CallContext, Client } from '@junctor/exchange'
import type { Head } from '@junctor/contracts'
import type { Scope } from '@junctor/contracts'
import type { LogLevel } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { CallerView } from './caller-view.ts'
import type { LinkSlot } from '../links/link-slot.ts'

/**
 * Who uses backends: a session, or all callers without one that are the same principal. Routes and backends know a caller,
 * never what it is.
 */
export interface Caller extends Client {
  /** Of the session; `undefined` for callers without one. */
  readonly id: string | undefined
  /** Who it is, at which tenant, and what its client declared. */
  readonly context: CallContext
  /** What it came over. */
  readonly transport: Head['transport']
  /** What it may use. */
  readonly tenant: TenantEntry
  /** It has gone: there is nobody to tell or to ask any more. */
  readonly ended: boolean
  /** Set by `logging/setLevel`. Until then the backends' own choice passes. */
  logLevel: LogLevel | undefined
  /** What it has seen of its tenant's backends; `undefined`: nothing yet. */
  seen: CallerView | undefined
  /** Resources that it is subscribed to, over all its links. */
  subscriptions: number
  /** The scope in which it uses a backend. */
  scope(entry: BackendEntry): Scope
  /** The slot of its link to a backend. Making the slot opens nothing. */
  slot(entry: BackendEntry): LinkSlot
  /** The slots that it has used and that are still there. */
  slots(): readonly LinkSlot[]
}
