import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'

/**
 * A message of a client that expects no answer, as one node passes it to another: to the node that asked the client, or
 * to the home node of its session.
 */
export type ClientMessage =
  /** The answer to a question. `text` is `{"result":...}` or `{"error":...}`. */
  | { readonly session: string; readonly ask: string; readonly text: string }
  /** A notification. `text` is its params; empty: it has none. */
  | { readonly session: string; readonly method: string; readonly text: string }

/** Reads a message from another node. `undefined`: this version does not know it. */
export function readClientMessage(value: JsonValue): ClientMessage | undefined {
  if (!isJsonObject(value)) return undefined
  const { session, ask, method, text } = value
  if (typeof session !== 'string' || typeof text !== 'string') return undefined
  if (typeof ask === 'string') return { session, ask, text }
  return typeof method === 'string' ? { session, method, text } : undefined
}
