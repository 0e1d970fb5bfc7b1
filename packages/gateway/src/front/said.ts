import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'

/** What a client of one node has said to another: to the one that asked it, or to its session's home. */
export type Said =
  /** `text` is `{"result":...}` or `{"error":...}`. */
  | { readonly session: string; readonly ask: string; readonly text: string }
  /** A notification. `text` is its params, empty for none. */
  | { readonly session: string; readonly method: string; readonly text: string }

/** Reads what came from another node; `undefined` for what this version does not know. */
export function readSaid(value: JsonValue): Said | undefined {
  if (!isJsonObject(value)) return undefined
  const { session, ask, method, text } = value
  if (typeof session !== 'string' || typeof text !== 'string') return undefined
  if (typeof ask === 'string') return { session, ask, text }
  return typeof method === 'string' ? { session, method, text } : undefined
}
