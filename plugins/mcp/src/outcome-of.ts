import type { Outcome, Response } from '@junctor/plugin-sdk/link'

/** The outcome that a response is. Results and errors of an upstream pass as they are. */
export function outcomeOf(response: Response): Outcome {
  return response.kind === 'result'
    ? { kind: 'complete', result: response.result }
    : { kind: 'error', error: response.error }
}
