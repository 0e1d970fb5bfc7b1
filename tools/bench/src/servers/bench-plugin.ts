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
import { toolDescription, toolName, toolSchema } from './tool-list.ts'

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

/** @param length the number of tools besides the echo */
function otherTools(length: number): Tool[] {
  return Array.from({ length }, (_, index) =>
    createTool({
      metadata: { name: toolName(index), description: toolDescription, inputSchema: toolSchema },
      handler: () => ToolResponse.text(''),
    }),
  )
}

const config: z.ZodType<{ readonly tools: number }> = z.strictObject({ tools: z.int().min(1).default(1) })

/** `{ plugin: bench }`: the echo in Junctor's own process, and as many other tools as wanted. */
export const benchPlugin: Plugin<typeof config> = definePlugin({
  name: 'bench',
  key: 'plugin',
  config,
  create: ({ tools }, { name, log }) =>
    createBackend({ name, log, tools: [echo, ...otherTools(tools - 1)], methods: [count] }),
})
