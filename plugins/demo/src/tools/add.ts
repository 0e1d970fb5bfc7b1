import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Answers with structured content, checked against an output schema. */
export const add: Tool = createTool({
  metadata: {
    name: 'add',
    title: 'Add',
    description:
      'Adds two numbers and answers with structured content. Floating point: 0.1 and 0.2 make a bit more than 0.3.',
    inputSchema: z.object({ a: z.number().describe('First number'), b: z.number().describe('Second number') }),
    outputSchema: z.object({ sum: z.number().describe('a + b') }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: ({ a, b }) => ToolResponse.json({ sum: a + b }),
})
