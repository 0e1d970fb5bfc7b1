import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'

/** Says what came, and how: word for word the tool that clients of the profile know from their document. */
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
