import type { Session, Emit } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import { type Request, wantsStream } from '@junctor/jsonrpc'
import { type ErrorDetails, type Situation, wireError } from '@junctor/protocol'
import { refusalOrigin } from '../../upstream/calls/request-outcome.ts'
import { errorAnswer, sendAnswer, type TextAnswer } from './text-answer.ts'

/** The client whose request is refused: its session, or what is known of it without one. */
interface RefusedClient {
  readonly tenant: Session['tenant']
  /** Undefined: no revision is negotiated yet. */
  readonly revision: Session['revision'] | undefined
}

/** A request that is refused, and the sink that gets the error. */
export interface RefusedRequest {
  readonly client: RefusedClient
  readonly request: Request
  readonly sink: Sink
}

/** Refuses a request with an error, in the request's version and form. */
export function sendRefusal(emit: Emit, refused: RefusedRequest, situation: Situation, details?: ErrorDetails): void {
  void sendAnswer(refused.sink, refusalOf(emit, refused, situation, details))
}

/** The error for a refused request, in the request's version and form. */
export function refusalOf(
  emit: Emit,
  { client, request }: Omit<RefusedRequest, 'sink'>,
  situation: Situation,
  details: ErrorDetails | undefined,
): TextAnswer {
  const { tenant, revision } = client
  const { id, method, dialect } = request
  const view = { revision, dialect, profile: tenant.profile }
  const error = wireError(situation, view, details)
  emit({ kind: 'request_refused', tenant: tenant.name, method, code: error.code, origin: refusalOrigin(situation) })
  return errorAnswer(id, error, view, wantsStream(request))
}
