import { type ErrorView, mcpProfile, wireError } from '@junctor/protocol'
import type { Exchange } from './exchange.ts'
import type { Answer } from '@junctor/jsonrpc'

/** Creates the answer to an ask that was withdrawn, by its asker or because its exchange has ended. */
export function withdrawnAnswer(exchange: Exchange, why: string): Answer {
  return { error: wireError('cancelled', viewOf(exchange), { message: `The question was withdrawn: ${why}` }) }
}

/** Creates the answer to an ask for a client that cannot be asked: the same as from a client without the feature. */
export function impossibleAnswer(exchange: Exchange, method: string): Answer {
  return { error: wireError('method_not_found', viewOf(exchange), { name: method }) }
}

/** Askers are backends. They receive errors of the specification, regardless of the client's profile. */
function viewOf(exchange: Exchange): ErrorView {
  return { revision: exchange.context.revision, dialect: '2.0', profile: mcpProfile }
}
