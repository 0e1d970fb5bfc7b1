import { setTimeout as sleep } from 'node:timers/promises'
import { createBackend, createTool, definePlugin, type Plugin, ToolResponse } from '@junctor/plugin-sdk'
import * as z from 'zod'

const config: z.ZodType<object> = z.strictObject({})

/** `{ plugin: forecast }`: tools as the document of the profile `ftl` describes them, in the gateway's process. */
export const forecastPlugin: Plugin<typeof config> = definePlugin({
  name: 'forecast',
  key: 'plugin',
  config,
  create(_config, { name, log }) {
    const weather = createTool({
      metadata: {
        name: 'weather',
        description: 'Get weather information for a location',
        inputSchema: {
          type: 'object',
          properties: { location: { type: 'string', description: 'City name or coordinates' } },
          required: ['location'],
        },
      },
      handler: ({ location }) => ToolResponse.text(`Current weather in ${location as string}: 68°F, partly cloudy`),
    })
    const chart = createTool({
      metadata: { name: 'chart', description: 'Draws', inputSchema: { type: 'object' } },
      handler: () => ({
        content: [{ type: 'custom/chart', data: [1, 2, 3], metadata: { chartType: 'bar' } }],
      }),
    })
    const pieces = createTool({
      metadata: { name: 'pieces', description: 'Draws in pieces', inputSchema: { type: 'object' } },
      handler: () =>
        ToolResponse.stream(async function* () {
          yield { type: 'custom/chart', data: [1] }
          yield 'done'
        }),
    })
    const slow = createTool({
      metadata: { name: 'slow', description: 'Takes its time', inputSchema: { type: 'object' } },
      async handler() {
        await sleep(400)
        return 'late'
      },
    })
    const example = createTool({
      metadata: {
        name: 'example',
        description: 'An example tool',
        inputSchema: z.object({ message: z.string() }),
      },
      handler: async (input) => ToolResponse.text(`You said: ${input.message}`),
    })
    return createBackend({ name, log, tools: [weather, chart, pieces, slow, example], info: { name, version: '1' } })
  },
})
