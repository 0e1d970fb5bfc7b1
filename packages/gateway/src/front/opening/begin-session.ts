import { randomBytes } from 'node:crypto'
import type { TelemetryEvent, Origin } from '@junctor/contracts'
import type { Dialect, JsonObject } from '@junctor/jsonrpc'
import { clientCapabilitiesFor, receivedCapabilities, type Revision } from '@junctor/protocol'
import type { Upstream } from '../../upstream/upstream.ts'
import type { FrontSession } from '../../sessions/session/front-session.ts'
import { HomeSession, type SessionOutlet } from '../../sessions/session/home-session.ts'
import { passedExtensions } from '../../shared/passed-extensions.ts'
import { sessionMark } from '../../shared/session-mark.ts'
import { hasSessionRoom } from '../../sessions/session/session-room.ts'
import type { SessionRecords } from '../../sessions/home/session-records.ts'
import type { SessionTable } from '../../sessions/session/session-table.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { DispatchParts } from '../requests/dispatch.ts'
import type { GatewayInfo } from './initialize.ts'

/** What opening a session needs. */
export interface OpeningParts {
  readonly info: GatewayInfo
  /** Whether this node leaves and opens no more sessions. */
  readonly isRetired: () => boolean
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'create'>
  readonly outlet: SessionOutlet
  readonly upstream: Pick<Upstream, 'slot' | 'status'>
}

/** The parameters of a new session. */
export interface SessionParameters {
  readonly dialect: Dialect
  readonly revision: Revision
  /** `clientInfo` and `capabilities` as the client sent them. */
  readonly info: JsonObject
  readonly capabilities: JsonObject
}

/** A session that exists on this node and is set in `from`; other nodes do not know it yet. */
export type SessionResult =
  | { readonly kind: 'begun'; readonly session: HomeSession; readonly front: FrontSession }
  | { readonly kind: 'refused'; readonly situation: 'unknown_tenant' | 'overloaded' }

/**
 * Creates a session with a new id at this node, its home. Refused: `unknown_tenant`, or `overloaded` when the node
 * leaves, or when `limits.sessions` leaves its tenant or principal no room.
 */
export function beginSession(
  { isRetired, tenants, table, outlet, upstream }: OpeningParts,
  { clock, limits }: Pick<DispatchParts, 'clock' | 'limits'>,
  from: Origin,
  { dialect, revision, info, capabilities }: SessionParameters,
): SessionResult {
  const { identity, transport } = from
  const { principal } = identity
  const { name, profile } = identity.tenant
  const tenant = tenants.get(name)
  if (tenant === undefined) return { kind: 'refused', situation: 'unknown_tenant' }
  const room = { table, hasTenants: hasSeveral(tenants.values()), limits }
  if (isRetired() || !hasSessionRoom(room, name, principal)) return { kind: 'refused', situation: 'overloaded' }
  const id = `${profile.sessionIds}${randomBytes(32).toString('base64url')}`
  // What its revision does not have, no server can ask it for.
  const declared = receivedCapabilities(clientCapabilitiesFor(revision, capabilities), passedExtensions(tenant))
  const client = { info, capabilities: declared }
  const context = { tenant: name, principal, session: id, transport, revision, client, trace: undefined }
  const session = new HomeSession({ id, tenant, context, transport, openedAt: clock.now() }, outlet, upstream)
  session.dialect = dialect
  const front = table.admit(session)
  from.session = front
  return { kind: 'begun', session, front }
}

/** Whether there is more than one tenant. The endpoints of single backends come after all tenants. */
function hasSeveral(entries: Iterable<TenantEntry>): boolean {
  let count = 0
  for (const { single } of entries) {
    if (single === true) return false
    count += 1
    if (count > 1) return true
  }
  return false
}

/** The most characters of a client's name in events. */
const shownName = 100

/** The event for a session whose client knows it. */
export function sessionOpened({ id, context, transport }: HomeSession): TelemetryEvent {
  const { name } = context.client.info
  return {
    kind: 'session_opened',
    tenant: context.tenant,
    transport,
    principal: context.principal.key,
    revision: context.revision,
    session: sessionMark(id),
    client: typeof name === 'string' ? name.slice(0, shownName) : '',
  }
}
