import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { CallToolResult, ServerNotification, ServerRequest, Tool } from '@modelcontextprotocol/sdk/types.js'

/** The request that a tool answers: messages that it sends through it reach the client on that request's own stream. */
export type Call = RequestHandlerExtra<ServerRequest, ServerNotification>

/** A tool, as the suites use it. */
export interface FixtureTool {
  /** Its exact entry in the list. */
  readonly definition: Tool
  run(args: Readonly<Record<string, unknown>>, call: Call): CallToolResult | Promise<CallToolResult>
}

/** The input schema of a tool without arguments. */
export const noArguments: Tool['inputSchema'] = { type: 'object', properties: {} }

/** A result of one text. */
export function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] }
}
