import type { Seal } from '@junctor/contracts'
import type { Handler, Outcome } from '@junctor/exchange'
import { andThen } from '@junctor/primitives'
import { sealState } from './sealed-state.ts'

/** Answers requests, with the states of backends sealed. Must wrap a handler once. */
export function sealQuestions(answer: Handler, seal: Seal, now: () => number): Handler {
  return (request, exchange) =>
    andThen(answer(request, exchange), (outcome): Outcome => {
      if (outcome.kind !== 'input_required') return outcome
      return { ...outcome, state: sealState(seal, exchange.context, request, outcome.state, now()) }
    })
}
