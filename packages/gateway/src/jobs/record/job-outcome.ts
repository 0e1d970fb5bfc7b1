import type { FinalOutcome } from '@junctor/exchange'
import { type Payload, payloadFromText, printPayload } from '@junctor/jsonrpc'

/** The result of a job. Payloads are stored as text, so that numbers keep their digits. */
export type JobOutcome =
  | { readonly result: string }
  | {
      readonly error: {
        readonly code: number
        readonly message: string
        readonly title?: string
        readonly data?: string
      }
    }

/** The outcome in its stored form. */
export function toJobOutcome(outcome: FinalOutcome): JobOutcome {
  if (outcome.kind === 'complete') return { result: printPayload(outcome.result) }
  const { code, message, title, data } = outcome.error
  return {
    error: {
      code,
      message,
      ...(title !== undefined && { title }),
      ...(data !== undefined && { data: printPayload(data) }),
    },
  }
}

/** The outcome from its stored form. */
export function outcomeOf(stored: JobOutcome): FinalOutcome {
  if ('result' in stored) return { kind: 'complete', result: payloadFromText(stored.result) }
  const { code, message, title, data } = stored.error
  const payload: Payload | undefined = data === undefined ? undefined : payloadFromText(data)
  return {
    kind: 'error',
    error: { code, message, ...(title !== undefined && { title }), ...(payload !== undefined && { data: payload }) },
  }
}

/** The size of the outcome in storage, in characters. */
export function charactersOf(outcome: JobOutcome): number {
  if ('result' in outcome) return outcome.result.length
  return outcome.error.message.length + (outcome.error.data?.length ?? 0)
}
