import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'

/** Returns the message, as the document of the profile specifies the tool. */
export const echo: Tool = createTool({
  metadata: {
    name: 'echo',
    description: 'Echo a message back',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string', description: 'Message to echo' } },
      required: ['message'],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  handler: (input, context) =>
    ToolResponse.text(
      JSON.stringify({ message: input['message'], received_params: input, context_available: context !== undefined }),
    ),
})
