import type { Origin } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { latestHandshake, methods, rpcMethods } from '@junctor/protocol'
import type { SessionlessCallers } from '../../sessions/sessionless/sessionless-callers.ts'
import { type AnswerParts, answerRequest } from './answer-request.ts'
import type { OpeningParts } from './begin-session.ts'
import { collect } from '../deferred/collect.ts'
import { dispatch } from '../requests/dispatch.ts'
import { emptyAnswer } from '../requests/empty-answer.ts'
import { isNegotiation } from './negotiate.ts'
import { openImplicitly, openNegotiating } from './open-session.ts'
import { sendRefusal } from '../requests/send-refusal.ts'
import type { RequestOwner } from '../requests/request-owner.ts'

/** How a request without a session is served: it opens one, or its profile needs none. */
export interface WithoutSessionParts extends AnswerParts {
  readonly opening: OpeningParts
  /** The callers without a session, for tenants whose profile allows them. */
  readonly sessionless: Pick<SessionlessCallers, 'context'>
}

/** The revision of an MCP client that sends none (Transports, Protocol Version Header). */
const assumedRevision = '2025-03-26'

/** Handles a request that is not `initialize` and has no session on this node. */
export function receiveWithoutSession(parts: WithoutSessionParts, request: Request, from: Origin, sink: Sink): void {
  const { tenant } = from.identity
  const { profile } = tenant
  // The only request that may come before `initialize` (Lifecycle).
  if (request.method === methods.ping && profile.earlyPing) return void sink.send(emptyAnswer(request), true)
  if (from.session === undefined) {
    if (from.transport === 'http' && isNegotiation(request)) return openNegotiating(parts, request, from, sink)
    // A connection is the session: every request of JSON-RPC 3.0 opens it.
    if (from.transport !== 'http' && request.dialect === '3.0') {
      const opened = openImplicitly(parts.opening, parts.dispatching, request, from, sink)
      return opened === undefined ? undefined : answerRequest(parts, opened, request, from, sink)
    }
    if (profile.sessionless || request.dialect === '3.0') return answerSessionless(parts, request, from, sink)
  }
  const client = { tenant, revision: from.session?.revision }
  const { emit } = parts.dispatching
  if (from.session !== undefined) return sendRefusal(emit, { client, request, sink }, 'session_unknown')
  // Only Streamable HTTP has a header that names the session; elsewhere the connection is the session.
  const details = from.headers === undefined ? { message: notInitialized } : undefined
  sendRefusal(emit, { client, request, sink }, 'session_missing', details)
}

const notInitialized = 'No session: expected `initialize` as the first request on this connection'

/** Answers a request where it came: without a session, there is no stream for a later answer. */
function answerSessionless(parts: WithoutSessionParts, request: Request, from: Origin, sink: Sink): void {
  const asked = { client: ownerOf(parts, request, from), request, sink }
  if (request.method === rpcMethods.jobResult) collect(parts.jobs, parts.dispatching, asked)
  else dispatch(parts.dispatching, asked)
}

/** An owner for this request alone: requests without a session share nothing, not even their ids. */
function ownerOf(
  { sessionless, fabric }: WithoutSessionParts,
  { dialect }: Request,
  { identity, revision: sent, transport }: Origin,
): RequestOwner {
  const { tenant } = identity
  // An MCP client that sends no revision is assumed to use an old one. A JSON-RPC 3.0 client need not know revisions.
  const { revisions } = tenant.profile
  const isAssumed = dialect === '2.0' && revisions.includes(assumedRevision)
  const assumed = isAssumed ? assumedRevision : (revisions[0] ?? latestHandshake)
  const revision = sent ?? assumed
  const context = sessionless.context(identity, revision, transport)
  return { tenant, revision, context, home: fabric.node, inFlight: undefined }
}
