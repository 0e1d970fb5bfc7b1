import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Returns its text unchanged. */
export const echo: Tool = createTool({
  metadata: {
    name: 'echo',
    title: 'Echo',
    description: 'Returns the message. A good first call: if you can read the answer, everything in between works.',
    inputSchema: z.object({ message: z.string().describe('The message to return') }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: ({ message }) => ToolResponse.text(message),
})
