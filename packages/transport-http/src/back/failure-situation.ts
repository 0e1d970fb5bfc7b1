import type { Loss } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Situation } from '@junctor/protocol'
import type { HttpFailure } from './http-failure.ts'

/** The error that the sender of a request receives for its failure. */
export interface FailureSituation {
  readonly situation: Situation
  /** Replaces the message of the catalogue. */
  readonly message?: string
  /** Additional members of `data`. */
  readonly data?: JsonObject
  /** How the way to the server was lost. Absent: the server has answered. */
  readonly loss?: Loss
}

/** The situation of the error catalogue for a failure. Details of the network, such as addresses, are not included. */
export function failureSituation(failure: HttpFailure): FailureSituation {
  switch (failure.kind) {
    case 'unreachable':
      return { situation: 'backend_unavailable', loss: 'unsent' }
    case 'session_unknown':
    case 'old_stream':
      return { situation: 'backend_unavailable' }
    case 'interrupted':
      return { situation: 'backend_exited', loss: 'cut' }
    case 'unusable':
      return { situation: 'tool_failed', message: `The backend gave no answer: ${failure.what}` }
    case 'refused':
      break
  }
  const { status, retryAfterMs, detail } = failure
  const message = `The backend answered with HTTP ${status}${detail === undefined ? '' : `: ${detail}`}`
  // Both mean that the server refused the request. After any other failure of the server, the effect is unknown.
  const turnedAway = status === 429 || status === 503
  if (status >= 500 && !turnedAway) return { situation: 'backend_exited', message }
  const data = { retryable: turnedAway, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return { situation: 'backend_unavailable', message, data }
}
