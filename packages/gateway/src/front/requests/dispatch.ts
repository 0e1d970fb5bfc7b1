import type { ErrorReporter, Log } from '@junctor/contracts'
import {
  type CallContext,
  createExchange,
  type Handler,
  type Host,
  type OpenExchange,
  wantsProgress,
} from '@junctor/exchange'
import { Pending, type RequestId } from '@junctor/jsonrpc'
import { methods, wireErrorFrom } from '@junctor/protocol'
import type { Clock } from '../../shared/clock.ts'
import { EncryptingOutlet } from '../encryption/encrypting-outlet.ts'
import { inlineEncryption } from '../encryption/inline-encryption.ts'
import { waitsForJob } from '../../jobs/record/waits-for-job.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { HomeCalls } from '../../nodes/home-calls.ts'
import { leaving } from './leaving.ts'
import { redirectedView } from './redirected-view.ts'
import { type BusyParts, enterWhenLarge, refuseWhenBusy } from './refuse-when-busy.ts'
import { type RefusedRequest, sendRefusal } from './send-refusal.ts'
import type { RequestOwner } from './request-owner.ts'
import { metaOf, requestView } from '../../shared/request-view.ts'
import { ResponseStream, type ResponseStreamParts } from './response-stream.ts'
import { traceparentOf } from '../../shared/trace-parent.ts'

/** What opening an exchange needs. */
export interface DispatchParts extends ResponseStreamParts, BusyParts {
  /** The id of this node. */
  readonly node: string
  readonly host: Host
  readonly clock: Clock
  readonly limits: GatewayLimits
  readonly log: Log
  readonly reportError: ErrorReporter
  /** Answers the requests whose home is this node. */
  readonly answer: Handler
  readonly homeCalls: HomeCalls
  /** Returns a new `traceparent`. */
  readonly startTrace: () => string
  /** `longestCallMs`: the longest timeout of any call, a safety net behind the timeout of each backend. It may change. */
  readonly state: { readonly longestCallMs: number }
}

/** A request, its client, and the sink that gets the answer. */
export interface AskedRequest extends RefusedRequest {
  readonly client: RequestOwner
  /** The context of its client, with what belongs to the token of this request. Absent: no token says more. */
  readonly context?: CallContext | undefined
}

/**
 * Opens the exchange for a request and has it handled. The answer goes to the sink, now or later.
 *
 * @param handler default: the home node of its client, which is this node or another
 * @param id the id of the answer, if it differs from the request's id
 */
export function dispatch(
  parts: DispatchParts,
  asked: AskedRequest,
  handler?: Handler,
  id: RequestId = asked.request.id,
): void {
  const { client, request, sink, context = client.context } = asked
  const { clock, host, limits } = parts
  if (refuseWhenBusy(parts, asked)) return
  // A request without a session that has a connection of its own is alone on it: no other request can have its id.
  const inFlight = context.session === undefined ? client.inFlight : (client.inFlight ??= new Pending())
  if (inFlight?.has(request.id) === true) return sendRefusal(parts.emit, asked, 'duplicate_id')
  if (inFlight !== undefined && inFlight.size >= limits.inFlight) return sendRefusal(parts.emit, asked, 'overloaded')

  const meta = metaOf(request)
  const own = requestView(request, meta, context, client.tenant.profile)
  const requested = id === request.id ? own : { ...own, id }
  const encryption = request.options === undefined ? undefined : inlineEncryption(request, requested)
  if (encryption?.kind === 'invalid') {
    return sendRefusal(parts.emit, asked, 'invalid_params', { message: encryption.message })
  }
  const leave = enterWhenLarge(parts, asked)
  if (leave === 'refused') return
  const exchange = createExchange(
    {
      id: host.nextId(),
      request,
      context: { ...context, trace: traceparentOf(meta, parts.startTrace) },
      deadline: clock.now() + timeoutOf(request.method, parts),
      attempt: 1,
      wantsProgress: wantsProgress(requested),
    },
    host,
  )
  const view = requested.stream
    ? redirectedView(requested, sink, (stream, isLost) => {
        inFlight?.take(stream)
        if (isLost) exchange.end('disconnected')
      })
    : requested
  // The home node, if it is another one, decides whether the session still exists.
  const isPlaced = handler === undefined && client.home !== parts.node
  const response = new ResponseStream(view, sink, exchange, parts, isPlaced)
  inFlight?.set(request.id, exchange)
  // The client may abort a stream that was redirected by either id.
  if (view !== requested) inFlight?.set(view.id, exchange)
  exchange.attach(encryption?.kind === 'encrypt' ? new EncryptingOutlet(response, encryption, parts.log) : response)
  const home = client.home === parts.node ? parts.answer : parts.homeCalls(client.home)
  handle(parts, leave === 'small' ? (handler ?? home) : leaving(handler ?? home, leave), exchange, response)
}

/** How long a request may take, in milliseconds. */
function timeoutOf(
  method: string,
  { limits, state: { longestCallMs } }: Pick<DispatchParts, 'limits' | 'state'>,
): number {
  // A subscription lasts until its client or this node ends it.
  if (method === methods.subscriptionsListen) return Infinity
  return waitsForJob(method) ? Math.max(limits.jobMs, longestCallMs) : longestCallMs
}

function handle(parts: DispatchParts, handler: Handler, exchange: OpenExchange, response: ResponseStream): void {
  try {
    const outcome = handler(exchange.request, exchange)
    if (!(outcome instanceof Promise)) return exchange.settle(outcome)
    parts.deadlines.add(response)
    outcome
      .then((settled) => exchange.settle(settled))
      .catch((error: unknown) => crash(parts, exchange, response, error))
  } catch (error) {
    crash(parts, exchange, response, error)
  }
}

function crash({ reportError }: DispatchParts, exchange: OpenExchange, { view }: ResponseStream, error: unknown): void {
  const { id, request } = exchange
  reportError('request', error, { exchange: id, method: request.method })
  exchange.settle({ kind: 'error', error: wireErrorFrom(error, view) })
}
