import type { Handler, Sink } from '@junctor/exchange'
import type { Origin } from '@junctor/contracts'
import type { Request } from '@junctor/jsonrpc'
import { latestHandshake } from '@junctor/protocol'
import { Call } from '../../upstream/calls/call.ts'
import { shapeOutcome } from '../../upstream/calls/shape-outcome.ts'
import type { FrontSession } from '../../sessions/session/front-session.ts'
import type { HomeSession } from '../../sessions/session/home-session.ts'
import { beginSession, type OpeningParts, sessionOpened, type SessionResult } from './begin-session.ts'
import { dispatch, type DispatchParts } from '../requests/dispatch.ts'
import { initializeOutcome, readInitialize } from './initialize.ts'
import type { AnswerParts } from './answer-request.ts'
import { negotiateIn } from './negotiate.ts'
import { refuseWhenBusy } from '../requests/refuse-when-busy.ts'
import { sendRefusal } from '../requests/send-refusal.ts'

/** What a negotiation that opens a session needs. */
interface NegotiatingParts extends Pick<AnswerParts, 'dispatching'> {
  readonly opening: OpeningParts
}

/**
 * Answers an `initialize`: opens a session whose home is this node (Lifecycle, "Initialization"). All nodes know the
 * session before its client gets the answer.
 */
export function openSession(
  parts: OpeningParts,
  dispatching: DispatchParts,
  request: Request,
  from: Origin,
  sink: Sink,
): void {
  const { tenant } = from.identity
  const { emit } = dispatching
  const client = { tenant, revision: undefined }
  if (from.session !== undefined) {
    return sendRefusal(emit, { client, request, sink }, 'invalid_request', {
      message: 'This session is initialized already',
    })
  }
  const opening = readInitialize(request, tenant.profile)
  if (opening.kind === 'bad')
    return sendRefusal(emit, { client, request, sink }, 'invalid_params', { message: opening.message })
  if (refuseWhenBusy(dispatching, { client, request, sink })) return
  const begun = beginSession(parts, dispatching, from, { dialect: request.dialect, ...opening })
  if (begun.kind === 'refused') return sendRefusal(emit, { client, request, sink }, begun.situation)

  const { session, front } = begun
  const { revision } = opening
  const answer: Handler = async (_request, exchange) => {
    const call = new Call(session, request, exchange)
    const servers = await Promise.all([
      parts.upstream.status.servers(session.tenant, 'handshake'),
      parts.records.create(session),
    ]).then(
      ([known]) => known,
      (error: unknown) => {
        discard(parts, session, from)
        throw error
      },
    )
    const outcome = initializeOutcome(opening, parts.info, servers, {
      principal: session.context.principal,
      instructionsLimit: dispatching.limits.instructions,
    })
    emit(call.finished(outcome))
    emit(sessionOpened(session))
    return shapeOutcome(tenant.profile, request.method, revision, outcome, dispatching.clock.now)
  }
  dispatch(dispatching, { client: front, request, sink }, answer)
}

/**
 * Answers an `rpc.extensions` of JSON-RPC 3.0 that opens a session over HTTP. As with `initialize`, all nodes know the
 * session before its client gets the answer.
 */
export function openNegotiating(
  { opening, dispatching }: NegotiatingParts,
  request: Request,
  from: Origin,
  sink: Sink,
): void {
  const begun = beginImplicitly(opening, dispatching, request, from, sink)
  if (begun === undefined) return
  const { session, front } = begun
  const negotiate = negotiateIn(front, from, (extensions) => {
    opening.table.setExtensions(session.id, extensions)
    return opening.records.create(session)
  })
  const answer: Handler = async (asked, exchange) => {
    try {
      const outcome = await negotiate(asked, exchange)
      if (outcome.kind === 'complete') dispatching.emit(sessionOpened(session))
      else discard(opening, session, from)
      return outcome
    } catch (error) {
      discard(opening, session, from)
      throw error
    }
  }
  dispatch(dispatching, { client: front, request, sink }, answer)
}

/**
 * Opens a session for the first request of JSON-RPC 3.0 on a connection. `undefined`: no session can be opened, and the
 * request was refused.
 *
 * The request does not wait until other nodes know the session: a client on a connection does not use them.
 */
export function openImplicitly(
  parts: OpeningParts,
  dispatching: DispatchParts,
  request: Request,
  from: Origin,
  sink: Sink,
): FrontSession | undefined {
  const begun = beginImplicitly(parts, dispatching, request, from, sink)
  if (begun === undefined) return undefined
  const { emit, log } = dispatching
  emit(sessionOpened(begun.session))
  parts.records
    .create(begun.session)
    .catch((error: unknown) => log.warn('a session could not be made known to other nodes', { error }))
  return begun.front
}

/** Removes a session that could not be made known: its client gets an error instead of it. */
function discard({ table }: OpeningParts, { id }: HomeSession, from: Origin): void {
  table.drop(id)
  from.session = undefined
}

/**
 * Begins a session for a request of JSON-RPC 3.0, which has no `initialize`. Its client has declared no capabilities, so
 * it gets only notifications outside its requests. `undefined`: the request was refused.
 */
function beginImplicitly(
  parts: OpeningParts,
  dispatching: DispatchParts,
  request: Request,
  from: Origin,
  sink: Sink,
): Extract<SessionResult, { kind: 'begun' }> | undefined {
  const { tenant } = from.identity
  const { emit } = dispatching
  const client = { tenant, revision: undefined }
  if (refuseWhenBusy(dispatching, { client, request, sink })) return undefined
  const revision = tenant.profile.revisions[0] ?? latestHandshake
  const begun = beginSession(parts, dispatching, from, { dialect: '3.0', revision, info: {}, capabilities: {} })
  if (begun.kind === 'begun') return begun
  sendRefusal(emit, { client, request, sink }, begun.situation)
  return undefined
}
