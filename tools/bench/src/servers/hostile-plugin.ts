import { setImmediate as turn, setTimeout as after } from 'node:timers/promises'
import {
  createBackend,
  createTool,
  definePlugin,
  type Plugin,
  type RequestContext,
  type Tool,
} from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Does harm until its call is cancelled, if it ever looks. */
type Harm = (context: RequestContext) => Promise<void> | void

function harmful(name: string, harm: Harm): Tool {
  return createTool({
    metadata: { name, description: name, inputSchema: z.object({}) },
    async handler(_input, context) {
      await harm(context)
      return 'done'
    },
  })
}

async function floodProgress(context: RequestContext): Promise<void> {
  for (let at = 1; !context.signal.aborted; at += 1) {
    context.progress(at)
    // A plugin that never gives its turn back sends nothing.
    if (at % 1000 === 0) await turn()
  }
}

function loop(): void {
  for (;;);
}

async function fill({ signal }: RequestContext): Promise<void> {
  const kept: object[] = []
  while (!signal.aborted) {
    for (let at = 0; at < 10_000; at += 1) kept.push({ at })
    await turn()
  }
}

async function reject({ signal }: RequestContext): Promise<void> {
  while (!signal.aborted) {
    void Promise.reject(new Error('nobody awaits this'))
    await after(1)
  }
}

/** A plugin whose tools harm their neighbours as much as they can. */
export const hostilePlugin: Plugin = definePlugin({
  name: 'hostile',
  key: 'plugin',
  config: z.strictObject({}),
  create(_config, { name, log }) {
    const floodLog: Harm = async ({ signal }) => {
      for (let at = 1; !signal.aborted; at += 1) {
        log.warn('shouted', { at })
        if (at % 1000 === 0) await turn()
      }
    }
    const tools = [
      harmful('progress', floodProgress),
      harmful('log', floodLog),
      harmful('loop', loop),
      harmful('memory', fill),
      harmful('rejections', reject),
    ]
    return createBackend({ name, log, tools })
  },
})
