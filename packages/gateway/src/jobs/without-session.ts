import type { Exchange } from '@junctor/exchange'
import { deriveExchange } from '../shared/derived-exchange.ts'

/** The exchange of a job whose session is gone: the job is still its principal's, who may collect it. */
export function withoutSession(exchange: Exchange): Exchange {
  return deriveExchange(exchange, { context: { ...exchange.context, session: undefined } })
}
