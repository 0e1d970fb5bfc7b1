import { randomBytes } from 'node:crypto'
import type { Fact, Handler, Origin, Sink } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { Situation } from '@junctor/protocol'
import { wireError } from '@junctor/protocol'
import { Call } from '../calls/call.ts'
import { refusalOrigin } from '../calls/request-outcome.ts'
import { shapeOutcome } from '../calls/shape-outcome.ts'
import type { KnownServer } from '../catalogue/server-union.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { SessionOutlet } from '../sessions/home-session.ts'
import { HomeSession } from '../sessions/home-session.ts'
import { sessionMark } from '../sessions/session-mark.ts'
import type { SessionDirectory } from '../sessions/session-directory.ts'
import type { TenantEntry } from '../tenant-entry.ts'
import type { DispatchParts } from './dispatch.ts'
import { dispatch } from './dispatch.ts'
import type { GatewayInfo } from './initialize.ts'
import { initializeOutcome, readInitialize } from './initialize.ts'
import { refusalText } from './refusal-text.ts'

/** What opening a session needs. */
export interface OpeningParts {
  readonly info: GatewayInfo
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly directory: SessionDirectory
  readonly outlet: SessionOutlet
  readonly pool: LinkPool
  /** What is known of a tenant's servers, after waiting a while for those that are still starting. */
  servers(tenant: TenantEntry): Promise<readonly KnownServer[]>
}

/**
 * Answers an `initialize`: opens a session that is at home on this node (Lifecycle, "Initialization"). The session is
 * known to all nodes before its client hears of it.
 */
export function openSession(
  parts: OpeningParts,
  dispatching: DispatchParts,
  request: Request,
  from: Origin,
  sink: Sink,
): void {
  const { identity, transport } = from
  const { tenant, principal } = identity
  const { tell } = dispatching
  const refuse = (situation: Situation, message?: string): void => {
    const view = { revision: undefined, dialect: request.dialect, profile: tenant.profile }
    const error = wireError(situation, view, message === undefined ? {} : { message })
    const { method } = request
    const origin = refusalOrigin(situation)
    tell({ kind: 'request_refused', tenant: tenant.name, method, code: error.code, origin })
    void sink.send(refusalText(request, error), true, undefined, error.status)
  }

  const entry = parts.tenants.get(tenant.name)
  if (entry === undefined) return refuse('unknown_tenant')
  if (from.session !== undefined) return refuse('invalid_request', 'This session is initialized already')
  const opening = readInitialize(request, tenant.profile)
  if (opening.kind === 'bad') return refuse('invalid_params', opening.message)
  if (parts.directory.size >= dispatching.limits.sessions) return refuse('overloaded')

  const { revision, info, capabilities } = opening
  const id = `${tenant.profile.sessionIds}${randomBytes(32).toString('base64url')}`
  const context = {
    tenant: tenant.name,
    principal,
    session: id,
    revision,
    client: { info, capabilities },
    trace: undefined,
  }
  const openedAt = dispatching.clock.now()
  const session = new HomeSession({ id, tenant: entry, context, transport, openedAt }, parts.outlet, parts.pool)
  const answer: Handler = async (_request, exchange) => {
    const call = new Call(session, request, exchange)
    const servers = await Promise.all([parts.servers(entry), parts.directory.publish(session)]).then(
      ([known]) => known,
      (error: unknown) => {
        // The client is told that it has no session, so there must be none.
        parts.directory.drop(id)
        throw error
      },
    )
    const outcome = initializeOutcome(revision, parts.info, servers, dispatching.limits.instructions)
    tell(call.finished(outcome))
    tell(opened(session))
    return shapeOutcome(tenant.profile, request.method, revision, outcome, dispatching.clock.now)
  }
  const front = parts.directory.admit(session)
  from.session = front
  dispatch(dispatching, front, request, sink, answer)
}

/** What clients may say of their names in events. In characters. */
const shownName = 100

function opened({ id, context, transport }: HomeSession): Fact {
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
