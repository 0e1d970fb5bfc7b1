import type { IncomingHttpHeaders } from 'node:http'
import { reasonWithCauses } from '@junctor/contracts'
import { type Redact, retryAfterMs } from '@junctor/primitives'
import { headers as names } from '@junctor/protocol'
import { describeRedirect } from './describe-redirect.ts'
import type { RoundEnd } from './http-round.ts'
import { readRefusal } from './read-refusal.ts'

/** Why a request over HTTP has no JSON-RPC response. */
export type HttpFailure =
  /** No connection was made: the request was not sent. */
  | { readonly kind: 'unreachable'; readonly error: Error }
  /** The request was sent, and then its answer was cut off. Whether it took effect is unknown. */
  | { readonly kind: 'interrupted'; readonly what: string; readonly error?: Error }
  /** 404 to a request with a session id: the server does not know the session, and has not run the request. */
  | { readonly kind: 'session_unknown' }
  /** The server answered with an HTTP status that is not a success. */
  | {
      readonly kind: 'refused'
      readonly status: number
      /** `Retry-After`, in milliseconds from the time of the answer. */
      readonly retryAfterMs: number | undefined
      /** That it redirects, or the server's explanation, shortened: untrusted. */
      readonly detail: string | undefined
    }
  /** The server answered with success, but with a body that is not a response to the request. */
  | { readonly kind: 'unusable'; readonly what: string }
  /** The server answered with a stream of HTTP+SSE (2024-11-05). It will not answer the request. */
  | { readonly kind: 'old_stream' }

/** The failure for the status and headers of an unsuccessful response. */
export function refusal(status: number, headers: IncomingHttpHeaders, hasSession: boolean): HttpFailure {
  if (status === 404 && hasSession) return { kind: 'session_unknown' }
  return {
    kind: 'refused',
    status,
    retryAfterMs: retryAfterMs(headers[names.retryAfter], Date.now()),
    detail: describeRedirect(status, headers.location),
  }
}

/** A failure with the explanation in the body of its answer, unless it has one already. `hide` removes secrets from it. */
export function explained(failure: HttpFailure | undefined, body: Uint8Array, hide: Redact): HttpFailure | undefined {
  if (failure?.kind !== 'refused' || failure.detail !== undefined) return failure
  return { ...failure, detail: readRefusal(body, hide) }
}

/** The failure for a round that failed before its response headers. */
export function cutOff({ sent, error }: Extract<RoundEnd, { kind: 'failed' }>): HttpFailure {
  return sent
    ? { kind: 'interrupted', what: 'the connection ended before the answer', error }
    : { kind: 'unreachable', error }
}

/** A failure as one line for a log or a local error. */
export function describeFailure(failure: HttpFailure): string {
  switch (failure.kind) {
    case 'unreachable':
      return `the server cannot be reached: ${reasonWithCauses(failure.error)}`
    case 'interrupted':
      return failure.error === undefined ? failure.what : `${failure.what}: ${reasonWithCauses(failure.error)}`
    case 'session_unknown':
      return 'the server does not know the session (HTTP 404)'
    case 'refused':
      return `the server answered HTTP ${failure.status}${failure.detail === undefined ? '' : `: ${failure.detail}`}`
    case 'old_stream':
      return 'the server answered with a stream of HTTP+SSE (2024-11-05)'
    case 'unusable':
      break
  }
  return failure.what
}
