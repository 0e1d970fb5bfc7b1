import type { Handler, OpenExchange } from '@junctor/exchange'
import { wireErrorFrom } from '@junctor/protocol'
import { callView } from './call-view.ts'

/** Settles an exchange with what a handler makes of its request. Never rejects: a handler that fails is an error. */
export async function runHandler(handler: Handler, exchange: OpenExchange): Promise<void> {
  const { request } = exchange
  try {
    exchange.settle(await handler(request, exchange))
  } catch (thrown) {
    exchange.settle({ kind: 'error', error: wireErrorFrom(thrown, callView(request, exchange)) })
  }
}
