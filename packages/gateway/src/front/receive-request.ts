import type { Origin } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { methods, noExtensions } from '@junctor/protocol'
import type { FrontSession } from '../sessions/front-session.ts'
import type { SessionTable } from '../sessions/session-table.ts'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import { answerRequest } from './answer-request.ts'
import { cancelTarget, isCancel } from './cancel-request.ts'
import type { Cancels } from './cancels.ts'
import { dispatch } from './dispatch.ts'
import { emptyAnswer } from './empty-answer.ts'
import { encryptionAsked } from './encryption/encryption-asked.ts'
import { openSession } from './open-session.ts'
import type { WithoutSessionParts } from './receive-without-session.ts'
import { receiveWithoutSession } from './receive-without-session.ts'
import { refuseRequest } from './refuse-request.ts'

export interface RequestParts extends WithoutSessionParts {
  readonly table: Pick<SessionTable, 'served'>
  readonly cancels: Cancels
}

/** Takes one request: it cancels another, opens a session, belongs to one, or comes without one. */
export function receiveRequest(parts: RequestParts, request: Request, from: Origin, sink: Sink): void {
  const { dispatching } = parts
  const session = from.session === undefined ? undefined : parts.table.served(from.session.id)
  if (session === undefined || isCancel(request)) {
    // Before a session is opened for it, or anything is done. All else is judged where its exchange is opened.
    const encryption = encryptionAsked(request, session?.context.extensions ?? noExtensions)
    if (encryption.kind === 'invalid') {
      const refused = { tenant: from.identity.tenant, revision: from.session?.revision }
      return refuseRequest(dispatching.tell, refused, request, sink, 'invalid_params', encryption.message)
    }
    if (isCancel(request)) return cancel(parts, session, request, sink, encryption.kind === 'encrypt')
  }
  if (request.method === methods.initialize) return openSession(parts.opening, dispatching, request, from, sink)
  if (session === undefined) receiveWithoutSession(parts, request, from, sink)
  else answerRequest(parts, session, request, from, sink)
}

/** Answered whatever it names: what is unknown or somebody else's need not be told apart from what is over. */
function cancel(
  { cancels, dispatching }: RequestParts,
  session: FrontSession | undefined,
  request: Request,
  sink: Sink,
  isEncrypted: boolean,
): void {
  if (session !== undefined) cancels.anywhere(session, cancelTarget(request.params))
  if (session !== undefined && isEncrypted) return dispatch(dispatching, session, request, sink, () => emptyOutcome)
  void sink.send(emptyAnswer(request), true)
}
