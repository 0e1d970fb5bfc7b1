import type { Fabric, Origin } from '@junctor/contracts'
import type { CallContext, Handler, OpenExchange, Sink } from '@junctor/exchange'
import type { Pending, Request } from '@junctor/jsonrpc'
import { receivedCapabilities } from '@junctor/protocol'
import { ofToken } from '../../shared/of-token.ts'
import { passedExtensions } from '../../shared/passed-extensions.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { HeaderCheck } from './check-parameters.ts'
import { dispatch, type DispatchParts } from '../requests/dispatch.ts'
import { leaving } from '../requests/leaving.ts'
import type { OpenRequests } from './open-requests.ts'
import type { StatelessRequest } from './read-stateless.ts'
import type { RequestOwner } from '../requests/request-owner.ts'
import { sendRefusal } from '../requests/send-refusal.ts'

/** What requests of 2026-07-28 need. */
export interface StatelessParts {
  readonly fabric: Pick<Fabric, 'node'>
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly dispatching: DispatchParts
  readonly openRequests: OpenRequests
  /** Answers them, with what this revision requires of results. */
  readonly stateless: Handler
  /** The same for requests with headers. */
  readonly statelessWithHeaders: HeaderCheck
}

/** Answers a request of 2026-07-28. It belongs to no session, and this node is its home. */
export function receiveStateless(
  parts: StatelessParts,
  read: Exclude<StatelessRequest, { kind: 'none' }>,
  request: Request,
  from: Origin,
  sink: Sink,
): void {
  const { dispatching, openRequests, stateless, statelessWithHeaders } = parts
  const { principal, tenant } = from.identity
  if (read.kind === 'refused') {
    // The codes of these situations are those of the newest revision, whatever version the request names.
    const client = { tenant, revision: '2026-07-28' } as const
    return sendRefusal(dispatching.emit, { client, request, sink }, read.situation, read.details)
  }
  const { revision, info } = read
  const served = parts.tenants.get(tenant.name)
  const capabilities = receivedCapabilities(read.capabilities, served === undefined ? [] : passedExtensions(served))
  const context: CallContext = {
    tenant: tenant.name,
    principal,
    session: undefined,
    transport: from.transport,
    revision,
    client: { info, capabilities },
    ...ofToken(from.identity),
    trace: undefined,
  }
  const inFlight = openRequests.of(from)
  const client: RequestOwner = { tenant, revision, context, home: parts.fabric.node, inFlight }
  const handler = from.headers === undefined ? stateless : statelessWithHeaders(from.headers)
  dispatch(dispatching, { client, request, sink }, inFlight === undefined ? handler : forgetting(inFlight, handler))
}

/** Forgets a request when it is over: its id may be used again. */
function forgetting(inFlight: Pending<OpenExchange>, handler: Handler): Handler {
  return (request, exchange) => {
    const forget = (): void => {
      if (inFlight.get(request.id)?.id === exchange.id) inFlight.take(request.id)
    }
    exchange.onEnd({ ended: forget })
    return leaving(handler, forget)(request, exchange)
  }
}
