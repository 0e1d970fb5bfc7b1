import { setTimeout as delay } from 'node:timers/promises'
import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Takes long enough to be cancelled. */
export const slow: Tool = createTool({
  metadata: {
    name: 'slow',
    title: 'Slow',
    description: 'Waits for a while, then answers. Cancel it at any time: it stops immediately.',
    inputSchema: z.object({
      ms: z.int().min(0).max(600_000).default(10_000).describe('How long, in milliseconds'),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  async handler({ ms }, context) {
    await delay(ms, undefined, { signal: context.signal })
    return ToolResponse.text(`Did nothing for ${ms} ms`)
  },
})
