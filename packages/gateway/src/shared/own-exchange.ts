import type { CallContext, Exchange } from '@junctor/exchange'
import { DerivedExchange, type ExchangeChanges } from './derived-exchange.ts'
import { backendError } from './errors.ts'

/**
 * An exchange of the gateway itself, without a client's request. Unless the changes define it, it has no deadline, its
 * output is ignored, and questions are refused. Its creator must end it.
 */
export function ownExchange(id: string, context: CallContext, changes: ExchangeChanges = {}): DerivedExchange {
  return new DerivedExchange(unconnected(id, context), changes)
}

function unconnected(id: string, context: CallContext): Exchange {
  return {
    id,
    context,
    attempt: 1,
    deadline: Number.MAX_SAFE_INTEGER,
    options: undefined,
    wantsProgress: false,
    ended: undefined,
    get signal() {
      return new AbortController().signal
    },
    onEnd() {},
    ack() {},
    progress() {},
    chunk: () => undefined,
    notify() {},
    ask: () => Promise.resolve({ error: backendError(context, 'ask_not_supported') }),
    callTool: () => Promise.resolve({ error: backendError(context, 'method_not_found') }),
  }
}
