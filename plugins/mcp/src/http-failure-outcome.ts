import type { Exchange, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { HttpFailure } from '@junctor/transport-http/back'
import { failed } from './errors.ts'

/** The outcome of a call whose request over HTTP has failed. What a network says of itself stays in the log. */
export function httpFailureOutcome(
  failure: HttpFailure,
  request: Request,
  exchange: Exchange,
  backend: string,
): Outcome {
  switch (failure.kind) {
    case 'unreachable':
    case 'session_unknown':
      return failed(request, exchange, 'backend_unavailable', { backend })
    case 'interrupted':
      return failed(request, exchange, 'backend_exited', { backend })
    case 'unusable':
      return failed(request, exchange, 'tool_failed', {
        backend,
        message: `The backend gave no answer: ${failure.what}`,
      })
    case 'refused':
      break
  }
  const { status, retryAfterMs, said } = failure
  const message = `The backend answered with HTTP ${status}${said === undefined ? '' : `: ${said}`}`
  // Both say that the request was turned away. After any other failure of the server, what it did is unknown.
  const turnedAway = status === 429 || status === 503
  if (status >= 500 && !turnedAway) return failed(request, exchange, 'backend_exited', { backend, message })
  const data = { retryable: turnedAway, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return failed(request, exchange, 'backend_unavailable', { backend, message, data })
}
