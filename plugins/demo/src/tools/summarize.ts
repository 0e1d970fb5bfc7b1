import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Asks the client's model. */
export const summarize: Tool = createTool({
  metadata: {
    name: 'summarize',
    title: 'Summarize',
    description: 'Asks the model of your client to summarize a text in one sentence.',
    inputSchema: z.object({
      text: z.string().min(1).describe('What to make shorter'),
      maxTokens: z.int().min(1).max(4096).default(200).describe('The largest answer of the model, in tokens'),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  async handler({ text, maxTokens }, context) {
    const { content, model } = await context.sample({
      messages: [{ role: 'user', content: { type: 'text', text: `Summarize this in one sentence:\n\n${text}` } }],
      maxTokens,
    })
    const blocks = Array.isArray(content) ? content : [content]
    const summary = blocks.map((block) => (typeof block.text === 'string' ? block.text : '')).join('')
    return summary === '' ? ToolResponse.error(`Expected a text from ${model}, got none`) : ToolResponse.text(summary)
  },
})
