import type { CallContext, Host } from '@junctor/exchange'
import type { Fabric } from '@junctor/contracts'
import { createExchange } from '@junctor/exchange'
import { within } from '@junctor/primitives'
import type { JsonValue } from '@junctor/jsonrpc'
import { reasonOf } from '../shared/errors.ts'
import { nodeRequest } from './node-request.ts'

/** The answer of another node, or why there is none. */
export type NodeAnswer =
  | { readonly kind: 'answered'; readonly value: JsonValue }
  /** The node is not present. */
  | { readonly kind: 'gone' }
  /** The node did not answer in time, or could not be reached. It is unknown whether it did what was asked. */
  | { readonly kind: 'silent' }

/** A question from one node to another. */
export interface NodeQuestion {
  readonly node: string
  /** The service of that node that answers the question. */
  readonly service: string
  readonly context: CallContext
  readonly body: JsonValue
  /** Timeout, in milliseconds. */
  readonly withinMs: number
}

/** What a question needs. */
export interface AskNodeParts {
  readonly fabric: Pick<Fabric, 'call' | 'now'>
  readonly host: Host
}

/** Sends a question of this node to another, and waits for the answer. Never rejects. */
export async function askNode({ fabric, host }: AskNodeParts, question: NodeQuestion): Promise<NodeAnswer> {
  const { node, service, context, body, withinMs } = question
  const request = nodeRequest(service, body)
  const init = { id: host.nextId(), request, context, deadline: fabric.now() + withinMs, attempt: 1 }
  const exchange = createExchange(init, host)
  const called = fabric.call({ service, node }, request, exchange)
  if (!(await within(called, withinMs))) {
    exchange.end('deadline')
    return { kind: 'silent' }
  }
  const outcome = await called
  exchange.settle(outcome)
  if (outcome.kind === 'complete') return { kind: 'answered', value: outcome.result.value() as JsonValue }
  return { kind: reasonOf(outcome) === 'backend_unavailable' ? 'gone' : 'silent' }
}
