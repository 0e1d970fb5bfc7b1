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
