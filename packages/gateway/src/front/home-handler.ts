import type { CallContext, Exchange, Handler, Outcome } from '@junctor/exchange'
import type { Tell } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import { compose } from './compose.ts'
import type { Request } from '@junctor/jsonrpc'
import { mcpProfile, methodMeant } from '@junctor/protocol'
import { Call } from '../upstream/calls/call.ts'
import { shapeOutcome } from '../upstream/calls/shape-outcome.ts'
import type { MethodRoute } from '../router/method-route.ts'
import { HomeSession } from '../sessions/home-session.ts'
import type { SessionlessCaller } from '../sessions/sessionless-caller.ts'
import type { Caller } from '../upstream/callers/caller.ts'
import type { HomeCalls } from '../nodes/home-calls.ts'
import type { SessionTable } from '../sessions/session-table.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { errorFor } from '../shared/errors.ts'

/**
 * Returns the caller of a request: its session, or the caller without a session. `undefined`: the session has ended.
 */
export type FindCaller = (context: CallContext) => HomeSession | SessionlessCaller | undefined

/** Answers the requests of sessions whose home is this node, from any node, and the requests without a session. */
export function homeHandler(
  find: FindCaller,
  table: Pick<SessionTable, 'elsewhere'>,
  homeCalls: HomeCalls,
  route: MethodRoute,
  tell: Tell,
  now: () => number,
): Handler {
  const handlers = new WeakMap<TenantEntry, Handler>()

  const routed: Handler = (request, exchange) => {
    const caller = find(exchange.context)
    if (caller === undefined) return gone(request, exchange)
    const call = new Call(caller, canonical(caller, request), exchange)
    return andThen(route(call), (outcome) => {
      tell(call.finished(outcome))
      const { profile } = caller.tenant.tenant
      return shapeOutcome(profile, call.request.method, exchange.context.revision, outcome, now)
    })
  }

  return (request, exchange) => {
    const caller = find(exchange.context)
    // The session was handed over, and the asking node does not know it yet.
    if (caller === undefined) {
      const next = table.elsewhere(exchange.context.session ?? '')
      return next === undefined ? gone(request, exchange) : homeCalls(next.home)(request, exchange)
    }
    const home = caller instanceof HomeSession ? caller : undefined
    if (home !== undefined) home.dialect = request.dialect
    let handler = handlers.get(caller.tenant)
    if (handler === undefined) {
      handler = compose(caller.tenant.interceptors, routed)
      handlers.set(caller.tenant, handler)
    }
    const outcome = handler(request, exchange)
    if (exchange.context.job !== undefined && outcome instanceof Promise) home?.outlivedBy(outcome)
    return outcome
  }
}

/** Replaces an alias of a profile by its canonical method, before any other code reads the method. */
function canonical({ tenant }: Caller, request: Request): Request {
  const method = methodMeant(tenant.tenant.profile, request.method)
  return method === request.method ? request : { ...request, method }
}

function gone(request: Request, exchange: Exchange): Outcome {
  return { kind: 'error', error: errorFor(exchange.context, request.dialect, mcpProfile, 'session_unknown') }
}
