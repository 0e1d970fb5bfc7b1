import type { Outcome } from '@junctor/exchange'
import type { Response } from '@junctor/jsonrpc'

/** The outcome that a response is. Results and errors of an upstream pass as they are. */
export function outcomeOf(response: Response): Outcome {
  return response.kind === 'result'
    ? { kind: 'complete', result: response.result }
    : { kind: 'error', error: response.error }
}
