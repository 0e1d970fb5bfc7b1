import { type ErrorView, wireError } from '@junctor/protocol'
import type { GatheredChunks } from './gathered-chunks.ts'
import type { Outcome } from './outcome.ts'

/** The outcomes that end a request for a client of a handshake revision. */
export type FinalOutcome = Extract<Outcome, { readonly kind: 'complete' | 'error' }>

/**
 * Returns the answer for a client of a handshake revision: the outcome itself, or the result with the gathered chunks
 * in it. Chunks above the limit give `too_large`. `input_required` is an internal error: such a client has no form for
 * it, so the gateway should have sent it these requests.
 */
export function finalOutcome(outcome: Outcome, gathered: GatheredChunks | undefined, view: ErrorView): FinalOutcome {
  if (outcome.kind === 'error') return outcome
  if (outcome.kind !== 'complete') return { kind: 'error', error: wireError('internal_error', view) }
  if (gathered === undefined) return outcome
  return overflowOutcome(gathered, view) ?? { kind: 'complete', result: gathered.into(outcome.result) }
}

/** The outcome of chunks above the limit. `undefined`: they are not. */
export function overflowOutcome(gathered: GatheredChunks | undefined, view: ErrorView): FinalOutcome | undefined {
  if (gathered?.overflowed !== true) return undefined
  const message = `The streamed result is larger than ${gathered.limit} characters`
  return { kind: 'error', error: wireError('too_large', view, { message }) }
}
