/** The part of a message that the hand-written servers read: enough to answer it. */
export interface LeanMessage {
  readonly id?: string | number
  readonly method: string
  readonly params?: { readonly arguments?: { readonly message?: string } }
}

/** The description of the echo. */
export const echoTool: object = {
  name: 'echo',
  description: 'Returns its message',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
}

/** The response to a request in a hand-written MCP server: `isStateless` if it is a server of 2026-07-28 too. */
export function responseTo(message: LeanMessage, isStateless: boolean): object {
  const { id, method } = message
  if (method === 'server/discover' && !isStateless) {
    return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }
  }
  return { jsonrpc: '2.0', id, result: resultOf(message) }
}

/** The result of a request in a hand-written MCP server. */
export function resultOf({ method, params }: LeanMessage): object {
  if (method === 'tools/call') return { content: [{ type: 'text', text: params?.arguments?.message }] }
  if (method === 'tools/list') return { tools: [echoTool] }
  if (method === 'server/discover') return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
  if (method !== 'initialize') return {}
  return {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'lean', version: '1.0.0' },
  }
}
