import type { CallContext } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import { reasonOf } from '../shared/errors.ts'
import type { CallNodeParts } from './call-node.ts'
import { callNode } from './call-node.ts'
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

/** Sends a question of this node to another, and waits for the answer. Never rejects. */
export async function askNode(parts: CallNodeParts, question: NodeQuestion): Promise<NodeAnswer> {
  const { node, service, context, body, withinMs } = question
  const outcome = await callNode(parts, { node, request: nodeRequest(service, body), context, withinMs })
  if (outcome.kind === 'complete') return { kind: 'answered', value: outcome.result.value() as JsonValue }
  return { kind: reasonOf(outcome) === 'backend_unavailable' ? 'gone' : 'silent' }
}
