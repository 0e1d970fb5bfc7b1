import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'

const form = z.object({
  name: z.string().min(1).max(100).describe('What shall I call you?'),
  age: z.int().min(0).max(150).describe('In years'),
})

/** Asks the person at the client to fill in a form. */
export const ask: Tool = createTool({
  metadata: {
    name: 'ask',
    title: 'Ask',
    description: 'Asks the person at the client for a name and an age, and greets them. The person may decline.',
    inputSchema: z.object({}),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  async handler(_input, context) {
    const answer = await context.elicit('Who are you? Two questions, and nothing is kept.', form)
    if (answer.action === 'decline') return ToolResponse.text('You declined, so there is no greeting.')
    if (answer.action === 'cancel') return ToolResponse.text('You closed the question without an answer.')
    return ToolResponse.text(`Hello ${answer.content.name}, ${answer.content.age} is a fine age.`)
  },
})
