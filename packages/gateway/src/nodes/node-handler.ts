import { type DataSchema, readData, type UnreadableReporter } from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { errorOutcome } from '../shared/errors.ts'

/** Answers a request of another node, whose params are read. */
export type NodeAnswerer<Params> = (params: Params, exchange: Exchange, request: Request) => Outcome | Promise<Outcome>

/**
 * Returns the handler of a service for other nodes. It answers params that this version cannot read with the error
 * `invalid_params`, because any other answer would count as an answer to what was asked. The message says where the
 * params differ, and contains no value of them.
 */
export function nodeHandler<Params>(
  schema: DataSchema<Params>,
  unreadable: UnreadableReporter,
  answer: NodeAnswerer<Params>,
): Handler {
  return (request, exchange) => {
    const read = readData(schema, request.params?.value())
    if (read.kind === 'read') return answer(read.value, exchange, request)
    unreadable('request', request.method, read.problem)
    const message = `the node cannot read the params of ${request.method}: ${read.problem}`
    return errorOutcome(exchange.context, 'invalid_params', message)
  }
}
