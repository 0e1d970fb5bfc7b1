import { type DataSchema, readData, type UnreadableReporter } from '@junctor/contracts'
import type { CallContext } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import { reasonOf } from '../shared/errors.ts'
import { callNode, type CallNodeParts } from './call-node.ts'
import { nodeRequest } from './node-request.ts'

/** The answer of another node, or why there is none. */
export type NodeAnswer<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  /** The node is not present. */
  | { readonly kind: 'gone' }
  /**
   * The node did not answer in time, could not be reached, or its answer could not be read. It is unknown whether it did
   * what was asked.
   */
  | { readonly kind: 'silent' }

/** A question from one node to another. */
export interface NodeQuestion<Value> {
  readonly node: string
  /** The service of that node that answers the question. */
  readonly service: string
  readonly context: CallContext
  readonly body: JsonValue
  /** The form of an answer. */
  readonly answer: DataSchema<Value>
  /** Timeout, in milliseconds. */
  readonly withinMs: number
}

/** What questions to nodes need. */
export interface AskNodeParts extends CallNodeParts {
  /** Called with an answer that this version cannot read. */
  readonly unreadable: UnreadableReporter
}

/** Sends a question of this node to another, and waits for the answer. Never rejects. */
export async function askNode<Value>(parts: AskNodeParts, question: NodeQuestion<Value>): Promise<NodeAnswer<Value>> {
  const { node, service, context, body, withinMs } = question
  const outcome = await callNode(parts, { node, request: nodeRequest(service, body), context, withinMs })
  if (outcome.kind !== 'complete') return { kind: reasonOf(outcome) === 'backend_unavailable' ? 'gone' : 'silent' }
  const read = readData(question.answer, outcome.result.value())
  if (read.kind === 'read') return { kind: 'answered', value: read.value }
  parts.unreadable('answer', `${node} ${service}`, read.problem)
  return { kind: 'silent' }
}
