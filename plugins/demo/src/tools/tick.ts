import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { counterUri, type Counter } from '../counter.ts'

/** Changes a resource, so that its subscribers are notified. */
export function createTick(counter: Counter): Tool {
  return createTool({
    metadata: {
      name: 'tick',
      title: 'Tick',
      description: `Adds one to the resource ${counterUri} and notifies its subscribers.`,
      inputSchema: z.object({}),
      outputSchema: z.object({ count: z.int().describe('The count after this tick') }),
      annotations: { destructiveHint: false, openWorldHint: false },
    },
    handler: (_input, { exchange }) => ToolResponse.json({ count: counter.tick(exchange.context.tenant) }),
  })
}
