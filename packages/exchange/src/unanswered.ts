import { type ErrorView, mcpProfile, wireError } from '@junctor/protocol'
import type { Exchange } from './exchange.ts'
import type { Answer } from './outcome.ts'

/** The answer to an ask that was taken back, by its asker or because its exchange is over. */
export function withdrawnAnswer(exchange: Exchange, why: string): Answer {
  return { error: wireError('cancelled', viewOf(exchange), { message: `The question was withdrawn: ${why}` }) }
}

/** The answer to an ask of a client that cannot be asked: the same as from one without the feature. */
export function impossibleAnswer(exchange: Exchange, method: string): Answer {
  return { error: wireError('method_not_found', viewOf(exchange), { name: method }) }
}

/** Askers are backends, and backends are spoken to by the specification, whatever the client's profile. */
function viewOf(exchange: Exchange): ErrorView {
  return { revision: exchange.context.revision, dialect: '2.0', profile: mcpProfile }
}
