import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Text in, the same text out. */
export const echo: Tool = createTool({
  metadata: {
    name: 'echo',
    title: 'Echo',
    description: 'Says back what you say. A good first call: if you can read the answer, everything in between works.',
    inputSchema: z.object({ message: z.string().describe('What to say back') }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: ({ message }) => ToolResponse.text(message),
})
