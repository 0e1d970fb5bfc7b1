import { setTimeout as delay } from 'node:timers/promises'
import { createMethod, type Method } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Steps between two progress notifications. */
const report = 10

/** Acknowledges the request immediately, then works for a while. */
export const longTask: Method = createMethod({
  name: 'start.longTask',
  description: 'Acknowledges, takes its steps, and reports progress after every tenth of them.',
  params: z.object({
    steps: z.int().min(1).max(1000).default(20).describe('How many steps'),
    everyMs: z.int().min(0).max(60_000).default(10).describe('Time for each step, in milliseconds'),
  }),
  async handler({ steps, everyMs }, context) {
    context.exchange.ack()
    for (let done = 0; done < steps;) {
      const next = Math.min(done + report, steps)
      await delay((next - done) * everyMs, undefined, { signal: context.signal })
      done = next
      context.progress(done, steps)
    }
    return 'Task completed'
  },
})
