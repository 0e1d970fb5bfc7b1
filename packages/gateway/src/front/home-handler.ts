import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { Emit } from '@junctor/contracts'
import { memberOf, type Request } from '@junctor/jsonrpc'
import { andThen } from '@junctor/primitives'
import { mcpProfile, canonicalMethod } from '@junctor/protocol'
import { Call } from '../upstream/calls/call.ts'
import { failedResult } from '../upstream/calls/failed-result.ts'
import { shapeOutcome } from '../upstream/calls/shape-outcome.ts'
import type { MethodRoute } from '../router/method-route.ts'
import type { Caller } from '../upstream/callers/caller.ts'
import { withCallerToken } from '../upstream/callers/with-caller-token.ts'
import type { HomeCalls } from '../nodes/home-calls.ts'
import type { SessionTable } from '../sessions/session/session-table.ts'
import type { SessionlessCallers } from '../sessions/sessionless/sessionless-callers.ts'
import type { ExclusiveCaller } from '../stateless/exclusive-caller.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { errorFor } from '../shared/errors.ts'

/** How the caller of a request is found at its home, and where the request goes then. */
export interface HomeHandlerParts {
  readonly sessionless: Pick<SessionlessCallers, 'of'>
  readonly exclusiveCaller: ExclusiveCaller
  readonly table: Pick<SessionTable, 'home' | 'otherHome'>
  readonly homeCalls: HomeCalls
  readonly route: MethodRoute
  readonly emit: Emit
  /** Epoch milliseconds. */
  readonly now: () => number
}

type Answering = Outcome | Promise<Outcome>

/** Answers the requests of sessions whose home is this node, from any node, and the requests without a session. */
export function homeHandler(parts: HomeHandlerParts): Handler {
  const { sessionless, exclusiveCaller, table, homeCalls, route, emit, now } = parts
  const answered = (call: Call, outcome: Outcome): Outcome => {
    emit(call.finished(outcome))
    const { profile } = call.caller.tenant.tenant
    const { method } = call.request
    // The client's form is for the client; another tool gets the tool's own result.
    const isPlain = profile.results[method] === undefined && !profile.failsAsError
    if (isPlain || call.exchange.context.chain !== undefined) return outcome
    const shown = profile.failsAsError ? failedResult(call, outcome) : outcome
    return shapeOutcome(profile, method, call.exchange.context.revision, shown, now)
  }
  const answer = (caller: Caller, request: Request, exchange: Exchange, isAgain: boolean): Answering => {
    const exclusive = exchange.context.session === undefined ? exclusiveCaller(caller, request, exchange) : undefined
    const call = new Call(exclusive ?? caller, canonical(caller, request), exchange, handle)
    const outcome = route(call)
    if (!(outcome instanceof Promise)) {
      exclusive?.release(now())
      return answered(call, outcome)
    }
    const settled = (late: Outcome): Answering =>
      call.isDisplaced === true && !isAgain ? answerNow(request, exchange, true) : answered(call, late)
    if (exclusive === undefined) return outcome.then(settled)
    const answering = outcome.then(async (late) => {
      await exclusive.lateMessages()
      return settled(late)
    })
    return answering.finally(() => exclusive.release(now()))
  }
  /** The session may have ended in the meantime. A call that a reload displaced is judged by the new configuration. */
  const answerNow = (request: Request, exchange: Exchange, isAgain: boolean): Answering => {
    const { context } = exchange
    const caller = context.session === undefined ? sessionless.of(context) : table.home(context.session)
    return caller === undefined ? noCaller(request, exchange) : answer(caller, request, exchange, isAgain)
  }
  const intercepted = interceptedHandlers((request, exchange) => answerNow(request, exchange, false))

  const handle: Handler = (request, exchange) => {
    const { context } = exchange
    const session = context.session === undefined ? undefined : table.home(context.session)
    const caller = context.session === undefined ? sessionless.of(context) : session
    // The session was handed over, and the asking node does not know it yet.
    if (caller === undefined) {
      const next = table.otherHome(context.session ?? '')
      return next === undefined ? noCaller(request, exchange) : homeCalls(next)(request, exchange)
    }
    if (session !== undefined) session.dialect = request.dialect
    if (context.callerToken !== undefined) withCallerToken(caller, context)
    const { tenant } = caller
    const outcome =
      (tenant.interceptors?.length ?? 0) === 0
        ? answer(caller, request, exchange, false)
        : intercepted(tenant)(request, exchange)
    if (context.job !== undefined && outcome instanceof Promise) session?.keepLinksFor(outcome)
    return outcome
  }
  return handle
}

/** Gives the handler of each tenant that has interceptors. It is composed once for each, and throws for what is no outcome. */
function interceptedHandlers(handler: Handler): (tenant: TenantEntry) => Handler {
  const handlers = new WeakMap<TenantEntry, Handler>()
  return (tenant) => {
    let intercepted = handlers.get(tenant)
    if (intercepted === undefined) {
      // The first one is the outermost.
      const outermost = (tenant.interceptors ?? []).reduceRight((next, interceptor) => interceptor(next), handler)
      intercepted = (request, exchange) => andThen(outermost(request, exchange), checkOutcome)
      handlers.set(tenant, intercepted)
    }
    return intercepted
  }
}

const outcomeKinds: ReadonlySet<unknown> = new Set<Outcome['kind']>(['complete', 'error', 'input_required'])

/** @throws TypeError when an interceptor gives something else than an outcome: plain JavaScript may */
function checkOutcome(outcome: Outcome): Outcome {
  const kind = memberOf(outcome, 'kind')
  if (outcomeKinds.has(kind)) return outcome
  throw new TypeError(`expected interceptors to give an outcome, got kind ${JSON.stringify(kind)}`)
}

/** Replaces an alias of a profile by its canonical method, before any other code reads the method. */
function canonical({ tenant }: Caller, request: Request): Request {
  const { profile } = tenant.tenant
  if (profile.aliases[request.method] === undefined) return request
  return { ...request, method: canonicalMethod(profile, request.method) }
}

/** The session of a request has ended, or its tenant is gone. */
function noCaller(request: Request, { context }: Exchange): Outcome {
  const situation = context.session === undefined ? 'unknown_tenant' : 'session_unknown'
  return { kind: 'error', error: errorFor(context, request.dialect, mcpProfile, situation) }
}
