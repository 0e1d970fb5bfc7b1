import type { Exchange } from '@junctor/plugin-sdk/link'
import { recordExchange } from '@junctor/testkit'

/** An exchange of a request with this trace. */
export function tracedExchange(trace: string): Exchange {
  const { context } = recordExchange().exchange
  return recordExchange({ init: { context: { ...context, trace } } }).exchange
}
