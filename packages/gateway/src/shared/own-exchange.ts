import type { CallContext, Exchange } from '@junctor/exchange'
import type { DerivedExchange, ExchangeChanges } from './derived-exchange.ts'
import { deriveExchange } from './derived-exchange.ts'
import { upstreamError } from './errors.ts'

/**
 * An exchange of the gateway's own, that no client's request is behind. Unless the changes say otherwise it has no deadline,
 * what is written to it goes nowhere, and questions are refused. Whoever made it ends it.
 */
export function ownExchange(id: string, context: CallContext, changes: ExchangeChanges = {}): DerivedExchange {
  return deriveExchange(nobody(id, context), changes)
}

function nobody(id: string, context: CallContext): Exchange {
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
    ask: () => Promise.resolve({ error: upstreamError(context, 'ask_not_supported') }),
  }
}
