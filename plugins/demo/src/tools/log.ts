import { createTool, logLevels, type Tool, ToolResponse } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Sends one log message at each level. */
export const log: Tool = createTool({
  metadata: {
    name: 'log',
    title: 'Log',
    description: 'Logs one message at each of the eight levels, from debug to emergency.',
    inputSchema: z.object({ text: z.string().default('All is well').describe('What to log') }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler({ text }, context) {
    for (const level of logLevels) context.log(level, text)
    return ToolResponse.text(`Logged ${logLevels.length} messages; you see those at your level and above`)
  },
})
