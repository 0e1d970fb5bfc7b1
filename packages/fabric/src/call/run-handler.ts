import type { Handler, OpenExchange, Outcome } from '@junctor/exchange'
import { wireErrorFrom } from '@junctor/protocol'
import { callView } from './call-view.ts'

/** Settles an exchange with the outcome of a handler, synchronously if possible. An exception becomes an error. */
export function runHandler(handler: Handler, exchange: OpenExchange): void {
  const { request } = exchange
  const settle = (outcome: Outcome): void => exchange.settle(outcome)
  const fail = (thrown: unknown): void =>
    settle({ kind: 'error', error: wireErrorFrom(thrown, callView(request, exchange)) })
  try {
    const outcome = handler(request, exchange)
    if (outcome instanceof Promise) outcome.then(settle).catch(fail)
    else settle(outcome)
  } catch (thrown) {
    fail(thrown)
  }
}
