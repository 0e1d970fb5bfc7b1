import type { Session, Emit } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { printError, printV3Error, wantsStream } from '@junctor/jsonrpc'
import type { ErrorDetails, Situation } from '@junctor/protocol'
import { wireError } from '@junctor/protocol'
import { refusalOrigin } from '../upstream/calls/request-outcome.ts'

/** The receiver of a refusal. */
export interface Refused {
  readonly tenant: Session['tenant']
  /** Undefined: no revision is negotiated yet. */
  readonly revision: Session['revision'] | undefined
}

/** Refuses a request with an error, in the request's version and form. */
export function sendRefusal(
  emit: Emit,
  refused: Refused,
  request: Request,
  sink: Sink,
  situation: Situation,
  details?: ErrorDetails,
): void {
  const { text, status } = refusalOf(emit, refused, request, situation, details)
  void sink.send(text, true, undefined, status)
}

/** The error for a refused request, as text in the request's version and form, and its HTTP status. */
export function refusalOf(
  emit: Emit,
  { tenant, revision }: Refused,
  request: Request,
  situation: Situation,
  details?: ErrorDetails,
): { readonly text: string; readonly status: number | undefined } {
  const { id, method, dialect } = request
  const view = { revision, dialect, profile: tenant.profile }
  const error = wireError(situation, view, details)
  emit({ kind: 'request_refused', tenant: tenant.name, method, code: error.code, origin: refusalOrigin(situation) })
  const text = dialect === '3.0' ? printV3Error(id, error, wantsStream(request)) : printError(id, error, false)
  return { text, status: error.status }
}
