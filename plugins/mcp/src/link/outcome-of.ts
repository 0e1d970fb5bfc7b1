import type { Outcome, Response } from '@junctor/plugin-sdk/link'

/** The outcome for a response. Results and errors of an upstream are passed on unchanged. */
export function outcomeOf(response: Response): Outcome {
  return response.kind === 'result'
    ? { kind: 'complete', result: response.result }
    : { kind: 'error', error: response.error }
}
