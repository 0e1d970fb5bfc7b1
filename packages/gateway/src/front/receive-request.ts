import type { Origin } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { methods, noExtensions } from '@junctor/protocol'
import type { FrontSession } from '../sessions/session/front-session.ts'
import type { SessionTable } from '../sessions/session/session-table.ts'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import { answerRequest } from './opening/answer-request.ts'
import { cancelTarget, isCancel } from './messages/cancel-request.ts'
import type { Cancels } from './messages/cancels.ts'
import { dispatch } from './requests/dispatch.ts'
import { emptyAnswer } from './requests/empty-answer.ts'
import { encryptionAsked } from './encryption/encryption-asked.ts'
import { openSession } from './opening/open-session.ts'
import { receiveWithoutSession, type WithoutSessionParts } from './opening/receive-without-session.ts'
import { readStateless } from './stateless/read-stateless.ts'
import { receiveStateless, type StatelessParts } from './stateless/receive-stateless.ts'
import { sendRefusal } from './requests/send-refusal.ts'

/** What is needed for a request of any kind. The parts of each kind are described where it is handled. */
export interface RequestParts extends WithoutSessionParts, Omit<StatelessParts, 'fabric'> {
  readonly table: Pick<SessionTable, 'served'>
  readonly cancels: Cancels
}

/** Handles one request: it is of a revision without sessions, cancels another, opens a session, belongs to one, or has none. */
export function receiveRequest(parts: RequestParts, request: Request, from: Origin, sink: Sink): void {
  const { dispatching } = parts
  if (from.session === undefined) {
    const read = readStateless(request, from)
    if (read.kind !== 'none') return receiveStateless(parts, read, request, from, sink)
  }
  const session = from.session === undefined ? undefined : parts.table.served(from.session.id)
  if (session === undefined || (request.dialect === '3.0' && isCancel(request))) {
    // Checked before a session is opened or anything is done. All other requests are checked when their exchange opens.
    const encryption = encryptionAsked(request, session?.context.extensions ?? noExtensions)
    if (encryption.kind === 'invalid') {
      const client = { tenant: from.identity.tenant, revision: from.session?.revision }
      return sendRefusal(dispatching.emit, { client, request, sink }, 'invalid_params', { message: encryption.message })
    }
    if (isCancel(request)) return cancel(parts, session, request, sink, encryption.kind === 'encrypt')
  }
  if (request.method === methods.initialize) return openSession(parts.opening, dispatching, request, from, sink)
  if (session === undefined) receiveWithoutSession(parts, request, from, sink)
  else answerRequest(parts, session, request, from, sink)
}

/** Answers a cancel. The answer is always the same: it does not reveal whether the request exists, or whose it is. */
function cancel(
  { cancels, dispatching }: RequestParts,
  session: FrontSession | undefined,
  request: Request,
  sink: Sink,
  isEncrypted: boolean,
): void {
  if (session !== undefined) {
    cancels.anywhere(session, cancelTarget(request.params))
    if (isEncrypted) return dispatch(dispatching, { client: session, request, sink }, () => emptyOutcome)
  }
  void sink.send(emptyAnswer(request), true)
}
