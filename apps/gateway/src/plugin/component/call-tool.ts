import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '@junctor/jsonrpc'
import { ownSession, type SentMessage, type SessionNode } from './own-session.ts'

/** One call of a tool. */
export interface ToolCall {
  readonly name: string
  /** The arguments, whatever they are: the node judges them. */
  readonly input: unknown
  /** Whether pieces and progress are wanted. */
  readonly streams: boolean
}

const callId = 1

/** A tool, as a node lists it. */
export type ListedTool = JsonObject & { readonly name: string }

/** Lists the tools of a node. */
export async function listTools(node: SessionNode): Promise<readonly ListedTool[]> {
  for await (const { value } of session(node, { method: 'tools/list' }, new AbortController().signal)) {
    const tools = memberOf(value['result'], 'tools')
    return Array.isArray(tools) ? tools.filter(isListed) : []
  }
  return []
}

/** Calls a tool. Gives the messages of the call; the last one has its result or its error. */
export async function* callTool(
  node: SessionNode,
  { name, input, streams }: ToolCall,
  signal: AbortSignal,
): AsyncGenerator<SentMessage, void, undefined> {
  const params = { name, arguments: input as JsonObject }
  const request = { method: 'tools/call', params, ...(streams && { options: { stream: true } }) }
  yield* session(node, request, signal)
}

/** The messages that belong to one request, up to its response. */
async function* session(
  node: SessionNode,
  request: JsonObject,
  signal: AbortSignal,
): AsyncGenerator<SentMessage, void, undefined> {
  const streams = request['options'] !== undefined
  const messages = [
    ...(streams ? [{ jsonrpc: '3.0', id: 0, method: 'rpc.extensions', params: { extensions: ['progress'] } }] : []),
    { jsonrpc: '3.0', id: callId, ...request },
  ]
  const cancelled = streams ? { stream: true, id: callId } : { id: callId }
  const cancel = { jsonrpc: '3.0', id: 2, method: 'request.cancel', params: cancelled }
  for await (const message of ownSession(node, messages, cancel, signal)) {
    if (!belongs(message.value)) continue
    yield message
    if (isLast(message.value)) return
  }
}

function belongs({ id, stream, ack }: JsonObject): boolean {
  return id === callId || memberOf(stream, 'id') === callId || memberOf(ack, 'id') === callId
}

/** Whether a message of a call is its response. */
export function isLast({ result, error }: JsonObject): boolean {
  return result !== undefined || error !== undefined
}

function isListed(tool: JsonValue): tool is ListedTool {
  return isJsonObject(tool) && typeof tool['name'] === 'string'
}
