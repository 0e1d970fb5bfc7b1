import { setTimeout as sleep } from 'node:timers/promises'
import { createBackend, createTool, definePlugin, type Plugin, ToolResponse } from '@junctor/plugin-sdk'
import * as z from 'zod'

const config: z.ZodType<object> = z.strictObject({})
const inputSchema = { type: 'object' } as const

/** The specification's audio has no name; the document's audio has one. */
const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/mpeg', name: 'speech.mp3' } as const

/** `{ plugin: studio }`: the tools in the document of the profile `saas` besides its `echo`. */
export const studioPlugin: Plugin<typeof config> = definePlugin({
  name: 'studio',
  key: 'plugin',
  config,
  create(_config, { name, log }) {
    let runs = 0
    const speech = createTool({
      metadata: { name: 'speech', description: 'Generates audio', inputSchema },
      handler: () => ToolResponse.of({ type: 'text', text: 'Generated audio file:' }, sound),
    })
    const work = createTool({
      metadata: { name: 'work', description: 'Tells how far it is', inputSchema },
      handler(_input, { exchange }) {
        exchange.progress({ progress: 50, total: 100, message: 'Processing data...' })
        return 'done'
      },
    })
    const count = createTool({
      metadata: { name: 'count', description: 'Counts its own runs, and takes its time', inputSchema },
      async handler(input) {
        runs += 1
        const { ms = 0 } = input as { ms?: number }
        await sleep(ms)
        return String(runs)
      },
    })
    return createBackend({ name, log, tools: [speech, work, count] })
  },
})
