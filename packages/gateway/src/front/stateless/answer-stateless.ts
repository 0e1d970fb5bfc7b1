import type { Fabric } from '@junctor/contracts'
import type { ErrorOutcome, Exchange, Handler, Outcome } from '@junctor/exchange'
import { edit, isJsonObject, payloadOf, type Request } from '@junctor/jsonrpc'
import { andThen } from '@junctor/primitives'
import { canBeAsked, metaKeys, printQuestions, type ServerMeta, serverMeta, statelessResult } from '@junctor/protocol'
import { serviceNames } from '../../nodes/service-names.ts'
import { errorFor } from '../../shared/errors.ts'
import { mayAsk } from '../../shared/may-ask.ts'
import { readNodeId } from '../../shared/node-id.ts'
import { unknownState } from '../../shared/unknown-state.ts'
import { metaOf } from '../../shared/request-view.ts'
import type { ParkedRequests } from '../../stateless/parked-requests.ts'
import { openState } from '../../stateless/sealed-state.ts'
import { readContinuation, type Continuation } from '../../stateless/continuation.ts'
import type { GatewayInfo } from '../opening/initialize.ts'
import { type LostCallParts, reportLostCalls } from '../requests/report-lost-calls.ts'
import { askUrls } from './url-elicitations.ts'

/** Where a request of 2026-07-28 is answered: by the front itself, by the router, or by the node that has parked it. */
export interface AnswerStatelessParts extends LostCallParts {
  readonly fabric: Pick<Fabric, 'node' | 'call' | 'seal' | 'now'>
  /** Whether a node is present, also while it cannot be reached for a moment. */
  readonly isPresent: (node: string) => Promise<boolean>
  /** Answers requests by the router. */
  readonly answer: Handler
  readonly parked: ParkedRequests
  readonly info: GatewayInfo
  /** The methods of this revision that the front answers itself. */
  readonly ownHandlers: Readonly<Record<string, Handler>>
}

/**
 * Answers the requests of 2026-07-28. A backend gets the request without the declarations of the client, and may ask the
 * client questions that it can answer.
 */
export function createStatelessHandler(parts: AnswerStatelessParts): Handler {
  const server = serverMeta(parts.info.name, parts.info.version)
  return (request, exchange) =>
    andThen(answer(parts, request, exchange), (outcome) =>
      asResult(request, askUrls(request, outcome, exchange.context), server),
    )
}

function answer(parts: AnswerStatelessParts, request: Request, exchange: Exchange): Outcome | Promise<Outcome> {
  const own = Object.hasOwn(parts.ownHandlers, request.method) ? parts.ownHandlers[request.method] : undefined
  if (own !== undefined) return own(request, exchange)
  const plain = withoutDeclarations(request)
  if (!mayAsk.has(request.method)) return parts.answer(plain, exchange)
  const continuation = readContinuation(request)
  if (continuation.kind === 'bad') return badContinuation(parts, continuation.message, request, exchange)
  if (continuation.kind === 'continued') {
    const { seal, now } = parts.fabric
    const opened = openState(seal, exchange.context, request, continuation.state, now())
    if (opened.kind === 'bad') return unknownState(exchange.context)
    if (opened.kind === 'other') return resume(parts, continuation, request, exchange)
    // The backend continues by its own state: nothing of the request waits here.
    const answers = { inputResponses: continuation.responses, requestState: opened.state }
    const next = { ...plain, params: edit(plain.params ?? payloadOf({}), answers) }
    return parts.parked.start(next, exchange)
  }
  return canBeAsked(exchange.context.client.capabilities)
    ? parts.parked.start(plain, exchange)
    : parts.answer(plain, exchange)
}

/** Continues a request on the node that holds it. */
async function resume(
  parts: AnswerStatelessParts,
  { state, responses }: Extract<Continuation, { kind: 'continued' }>,
  request: Request,
  exchange: Exchange,
): Promise<Outcome> {
  const { fabric, isPresent, parked } = parts
  const id = readNodeId(state)
  if (id.kind === 'foreign') return unknownState(exchange.context)
  if (id.node === fabric.node) return parked.resume(state, responses, request, exchange)
  // A client may have invented the name of the node.
  if (!(await isPresent(id.node))) return unknownState(exchange.context)
  const target = { service: serviceNames.parked, node: id.node }
  return reportLostCalls((sent, own) => fabric.call(target, sent, own), parts)(request, exchange)
}

/** Continues a request of this node that has arrived at another node. */
export function resumeHere(parked: ParkedRequests): Handler {
  return (request, exchange) => {
    const continuation = readContinuation(request)
    if (continuation.kind !== 'continued') return unknownState(exchange.context)
    return parked.resume(continuation.state, continuation.responses, request, exchange)
  }
}

function badContinuation(
  { tenants }: AnswerStatelessParts,
  message: string,
  { dialect }: Request,
  { context }: Exchange,
): Outcome {
  const profile = tenants.get(context.tenant)?.tenant.profile
  if (profile === undefined) return unknownState(context)
  return { kind: 'error', error: errorFor(context, dialect, profile, 'invalid_params', { message }) }
}

/** The members of `_meta` that are for the gateway alone, removed. Members that are undefined are not printed. */
const noDeclarations = {
  [metaKeys.protocolVersion]: undefined,
  [metaKeys.clientInfo]: undefined,
  [metaKeys.clientCapabilities]: undefined,
}
const declarations: ReadonlySet<string> = new Set(Object.keys(noDeclarations))
const noContinuation = { inputResponses: undefined, requestState: undefined }

function withoutDeclarations(request: Request): Request {
  const { params } = request
  const meta = metaOf(request)
  if (params === undefined || meta === undefined) return request
  const _meta = Object.keys(meta).every((key) => declarations.has(key)) ? undefined : { ...meta, ...noDeclarations }
  const patch = mayAsk.has(request.method) ? { _meta, ...noContinuation } : { _meta }
  const value = params.value()
  // Few params have a text that must be kept; the others are copied at once.
  const mustKeepText = params.text !== undefined || !isJsonObject(value)
  return { ...request, params: mustKeepText ? edit(params, patch) : payloadOf({ ...value, ...patch }) }
}

/** The HTTP statuses of errors, also of those that backends send (2026-07-28, Streamable HTTP, "Error Handling"). */
const statuses: ReadonlyMap<number, number> = new Map([
  [-32_601, 404],
  [-32_021, 400],
])

function withStatus(outcome: ErrorOutcome): Outcome {
  const { error } = outcome
  const status = error.status === undefined ? statuses.get(error.code) : undefined
  return status === undefined ? outcome : { kind: 'error', error: { ...error, status } }
}

/** The outcome in the form of this revision. */
function asResult({ method }: Request, outcome: Outcome, server: ServerMeta): Outcome {
  if (outcome.kind === 'complete') {
    return { kind: 'complete', result: statelessResult(method, outcome.result, server) }
  }
  if (outcome.kind === 'error') return withStatus(outcome)
  const { requests, state } = outcome
  const asked = Object.entries(requests)
  const result = edit(payloadOf({ resultType: 'input_required' }), {
    ...(asked.length > 0 && { inputRequests: printQuestions(asked) }),
    ...(state !== undefined && { requestState: state }),
  })
  return { kind: 'complete', result: statelessResult(method, result, server) }
}
