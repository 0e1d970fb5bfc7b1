import type { CallContext, Exchange, Handler, Outcome } from '@junctor/exchange'
import type { Fabric, Tell } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import { compose } from './compose.ts'
import type { Request } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import { mcpProfile, methodMeant } from '@junctor/protocol'
import { Call } from '../upstream/calls/call.ts'
import { shapeOutcome } from '../upstream/calls/shape-outcome.ts'
import type { MethodRoute } from '../router/method-route.ts'
import type { HomeSession } from '../sessions/home-session.ts'
import type { HomeCalls } from '../sessions/home-calls.ts'
import type { SessionTable } from '../sessions/session-table.ts'
import type { StreamTable } from '../sessions/streams/stream-table.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { errorFor } from '../shared/errors.ts'
import { keptStream, unknownEventMessage } from './kept-stream.ts'
import { RelaySink, attachStream } from './resume.ts'
import { serviceNames } from '../nodes/service-names.ts'
import { streamOf } from '../sessions/session-outlet.ts'

/** The session that a request belongs to, or what stands in for one; `undefined` when it has ended. */
export type FindHome = (context: CallContext) => HomeSession | undefined

/** Answers the requests of sessions that are at home here, whichever node they came to, and of callers without one. */
export function homeHandler(
  find: FindHome,
  table: Pick<SessionTable, 'elsewhere'>,
  homeCalls: HomeCalls,
  route: MethodRoute,
  tell: Tell,
  now: () => number,
): Handler {
  const handlers = new WeakMap<TenantEntry, Handler>()

  const routed: Handler = (request, exchange) => {
    const session = find(exchange.context)
    if (session === undefined) return gone(request, exchange)
    const call = new Call(session, meant(session, request), exchange)
    return andThen(route(call), (outcome) => {
      tell(call.finished(outcome))
      const { profile } = session.tenant.tenant
      return shapeOutcome(profile, call.request.method, exchange.context.revision, outcome, now)
    })
  }

  return (request, exchange) => {
    const session = find(exchange.context)
    // It was handed on, and whoever asks has not heard of that yet.
    if (session === undefined) {
      const next = table.elsewhere(exchange.context.session ?? '')
      return next === undefined ? gone(request, exchange) : homeCalls(next.home)(request, exchange)
    }
    session.dialect = request.dialect
    let handler = handlers.get(session.tenant)
    if (handler === undefined) {
      handler = compose(session.tenant.interceptors, routed)
      handlers.set(session.tenant, handler)
    }
    const outcome = handler(request, exchange)
    if (exchange.context.job !== undefined && outcome instanceof Promise) session.outlivedBy(outcome)
    return outcome
  }
}

/** Lets other nodes read the streams that this node keeps, for the session that each belongs to. */
export function resumeHandler(
  fabric: Pick<Fabric, 'call'>,
  table: Pick<SessionTable, 'home' | 'elsewhere'>,
  streams: StreamTable,
): Handler {
  return (request, exchange) => {
    const params = request.params?.value()
    const { stream: id, after } = isJsonObject(params) ? params : {}
    const session = exchange.context.session ?? ''
    const own = table.home(session)
    const profile = own?.tenant.tenant.profile
    if (id === null && own !== undefined) {
      const sink = new RelaySink(exchange)
      attachStream(streamOf(own, streams), sink, exchange.context, profile)
      return sink.done
    }
    const isPlace = typeof id === 'string' && typeof after === 'number'
    const stream = isPlace ? keptStream(streams, own, session, id, after) : undefined
    const next = stream === undefined ? table.elsewhere(session) : undefined
    // It was handed on with its stream, and whoever asks has not heard of that yet.
    if (next !== undefined) return fabric.call({ service: serviceNames.resume, node: next.home }, request, exchange)
    if (stream === undefined || !isPlace) return unknownEvent(request, exchange)
    const sink = new RelaySink(exchange)
    attachStream(stream, sink, exchange.context, profile, after)
    return sink.done
  }
}

/** A profile's alias becomes the method that it stands for, before anything looks at it. */
function meant({ tenant }: HomeSession, request: Request): Request {
  const method = methodMeant(tenant.tenant.profile, request.method)
  return method === request.method ? request : { ...request, method }
}

function gone(request: Request, exchange: Exchange): Outcome {
  return { kind: 'error', error: errorFor(exchange.context, request.dialect, mcpProfile, 'session_unknown') }
}

function unknownEvent(request: Request, exchange: Exchange): Outcome {
  const details = { message: unknownEventMessage }
  return { kind: 'error', error: errorFor(exchange.context, request.dialect, mcpProfile, 'invalid_request', details) }
}
