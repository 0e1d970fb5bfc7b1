import type { Exchange } from '@junctor/exchange'
import { deriveExchange } from '../../shared/derived-exchange.ts'

/** The exchange of a job whose session is gone: the job still belongs to its principal, who may collect the result. */
export function withoutSession(exchange: Exchange): Exchange {
  return deriveExchange(exchange, { context: { ...exchange.context, session: undefined } })
}
