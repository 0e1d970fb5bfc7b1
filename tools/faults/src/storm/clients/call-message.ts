import type { JsonObject } from '@junctor/jsonrpc'
import type { Call } from '../ledger/attempt.ts'

/** The request for a call of a tool. Its id is that of the call. */
export function callMessage(jsonrpc: '2.0' | '3.0', call: Call, more: JsonObject = {}): JsonObject {
  return { jsonrpc, id: call.id, method: 'tools/call', params: { ...calledTool(call), ...more } }
}

/** The tool of a call, under the name that the gateway gives it. Streams use no tool. */
export function calledTool({ id, tool, ms }: Call): { readonly name: string; readonly arguments: JsonObject } {
  if (tool === 'ask') return { name: 'demo__ask', arguments: {} }
  return { name: tool === 'abort' ? 'tools__wait' : `tools__${tool}`, arguments: { id, ms } }
}
