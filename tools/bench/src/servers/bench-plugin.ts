import {
  createBackend,
  createMethod,
  createTool,
  definePlugin,
  type Method,
  type Plugin,
  type Tool,
  ToolResponse,
} from '@junctor/plugin-sdk'
import * as z from 'zod'
import { listedTools, toolDescription, toolName, toolSchema } from './tool-list.ts'

const echo: Tool = createTool({
  metadata: {
    name: 'echo',
    description: 'Returns its message',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  },
  handler: (input) => String((input as { message?: unknown }).message),
})

const count: Method = createMethod({
  name: 'count',
  description: 'A stream of numbers, in lines of a log',
  params: z.tuple([z.int()]),
  async *handler([to]) {
    for (let number = 1; number <= to; number += 1) yield `${number} of many lines of a log`
  },
})

function longList(): Tool[] {
  return Array.from({ length: listedTools }, (_, index) =>
    createTool({
      metadata: { name: toolName(index), description: toolDescription, inputSchema: toolSchema },
      handler: () => ToolResponse.text(''),
    }),
  )
}

const config: z.ZodType<{ readonly list: boolean }> = z.strictObject({ list: z.boolean().default(false) })

/** `{ plugin: bench }`: the echo in Junctor's own process, or the long list of tools. */
export const benchPlugin: Plugin<typeof config> = definePlugin({
  name: 'bench',
  key: 'plugin',
  config,
  create: ({ list }, { name, log }) =>
    createBackend({ name, log, tools: list ? longList() : [echo], methods: [count] }),
})
