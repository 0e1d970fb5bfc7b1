import type { JsonObject } from '@junctor/jsonrpc'
import type { Situation } from '@junctor/protocol'
import type { HttpFailure } from './http-failure.ts'

/** What whoever sent a request is told of its failure. */
export interface FailureSituation {
  readonly situation: Situation
  /** Instead of the catalogue's words. */
  readonly message?: string
  /** More members for `data`. */
  readonly data?: JsonObject
}

/** The situation of the error catalogue that a failure is. What a network says of itself, such as addresses, stays here. */
export function failureSituation(failure: HttpFailure): FailureSituation {
  switch (failure.kind) {
    case 'unreachable':
    case 'session_unknown':
      return { situation: 'backend_unavailable' }
    case 'interrupted':
      return { situation: 'backend_exited' }
    case 'unusable':
      return { situation: 'tool_failed', message: `The backend gave no answer: ${failure.what}` }
    case 'refused':
      break
  }
  const { status, retryAfterMs, said } = failure
  const message = `The backend answered with HTTP ${status}${said === undefined ? '' : `: ${said}`}`
  // Both say that the request was turned away. After any other failure of the server, what it did is unknown.
  const turnedAway = status === 429 || status === 503
  if (status >= 500 && !turnedAway) return { situation: 'backend_exited', message }
  const data = { retryable: turnedAway, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return { situation: 'backend_unavailable', message, data }
}
