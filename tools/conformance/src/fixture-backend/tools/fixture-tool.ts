import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { CallToolResult, ServerNotification, ServerRequest, Tool } from '@modelcontextprotocol/sdk/types.js'

/** The request that a tool answers: what it sends by this reaches the client on that request's own stream. */
export type Call = RequestHandlerExtra<ServerRequest, ServerNotification>

/** A tool as the suites know it. */
export interface FixtureTool {
  /** As it is listed, to the letter. */
  readonly definition: Tool
  run(args: Readonly<Record<string, unknown>>, call: Call): CallToolResult | Promise<CallToolResult>
}

/** A tool's schema when it takes nothing. */
export const noArguments: Tool['inputSchema'] = { type: 'object', properties: {} }

/** A result of one text. */
export function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] }
}
