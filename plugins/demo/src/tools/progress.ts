import { setTimeout as delay } from 'node:timers/promises'
import { createTool, ToolResponse, type Tool } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Sends progress notifications at a steady pace. */
export const progress: Tool = createTool({
  metadata: {
    name: 'progress',
    title: 'Progress',
    description: 'Takes a number of steps and reports each one. The steps do nothing but wait.',
    inputSchema: z.object({
      steps: z.int().min(1).max(1000).default(5).describe('How many steps'),
      delayMs: z.int().min(0).max(60_000).default(100).describe('Pause before each step, in milliseconds'),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  async handler({ steps, delayMs }, context) {
    for (let step = 1; step <= steps; step += 1) {
      await delay(delayMs, undefined, { signal: context.signal })
      context.progress(step, steps, `Step ${step} of ${steps}`)
    }
    return ToolResponse.text(`Took ${steps} steps`)
  },
})
