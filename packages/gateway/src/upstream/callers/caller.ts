import type { CallContext, Client } from '@junctor/exchange'
import type { Scope } from '@junctor/contracts'
import type { LogLevel } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { CallerView } from './caller-view.ts'
import type { LinkSlot } from '../links/link-slot.ts'

/**
 * A component that uses backends: a session, or all requests without a session of one principal. Routes and backends
 * use only this interface.
 */
export interface Caller extends Client {
  /** The session's id; `undefined` for callers without a session. */
  readonly id: string | undefined
  /** The principal, its tenant, and what its client declared. */
  readonly context: CallContext
  /** The tenant: what it may use. */
  readonly tenant: TenantEntry
  /** Whether it has ended: nothing can be sent to its client any more. */
  readonly ended: boolean
  /** Set by `logging/setLevel`. Until then, the client gets the log messages that the backends choose to send. */
  logLevel: LogLevel | undefined
  /** What it last saw of its tenant's backends; `undefined`: it has none yet, or its backends have changed. */
  lastView: CallerView | undefined
  /** How many resources it is subscribed to, over all its links. */
  subscriptions: number
  /** The scope in which it uses a backend. */
  scope(entry: BackendEntry): Scope
  /** The slot of its link to a backend. Creating the slot opens no connection. */
  slot(entry: BackendEntry): LinkSlot
  /** The slots that it has used and that still exist. */
  slots(): readonly LinkSlot[]
}
