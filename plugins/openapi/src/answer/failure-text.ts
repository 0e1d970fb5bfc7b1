import type { HttpFailureKind, HttpRequestError } from '@junctor/plugin-sdk/http'
import type { OperationPlan } from '../tools/operation-plan.ts'

const unreachable = 'the API cannot be reached'

const texts: Readonly<Record<HttpFailureKind, string>> = {
  too_large: 'the answer is too large',
  undecodable: 'the body of the answer cannot be decoded',
  timed_out: 'the API did not answer in time',
  unreachable,
  address_refused: unreachable,
  interrupted:
    'the connection ended before the whole answer had arrived; it is not known whether the API has done its work',
  redirect_refused: 'the API answered with a redirect that is not followed',
  bad_request: 'the arguments cannot be sent in an HTTP request',
  aborted: 'the call was cancelled',
}

/** What the caller of a tool sees of a request without a usable answer. It names no hosts and addresses. */
export function failureText({ kind }: HttpRequestError, { method, path }: OperationPlan, maxBytes: number): string {
  const more =
    kind === 'too_large' ? ` (more than ${maxBytes} bytes): ask for less, with the arguments that filter or page` : ''
  return `${method} ${path}: ${texts[kind]}${more}.`
}
