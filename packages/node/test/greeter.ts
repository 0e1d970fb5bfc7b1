import type { Plugin } from '@junctor/plugin-sdk'
import { createBackend, createTool, definePlugin } from '@junctor/plugin-sdk'
import * as z from 'zod'

export interface Greeter {
  /** `{ greet: '...' }` in a configuration: a backend whose `hello` says so at once, and whose `wait` says so late. */
  readonly plugin: Plugin
  /** How many backends are open, by their greeting. */
  readonly made: Map<string, number>
}

/**
 * Makes a plugin in this process.
 *
 * @param late holds every call of `wait` until it resolves
 */
export function createGreeter(late: () => Promise<void>): Greeter {
  const made = new Map<string, number>()
  const count = (greeting: string, by: 1 | -1): void => void made.set(greeting, (made.get(greeting) ?? 0) + by)
  const inputSchema = { type: 'object' } as const
  const plugin = definePlugin({
    name: 'greeter',
    key: 'greet',
    config: z.object({ greet: z.string() }),
    create({ greet }, { name, log }) {
      count(greet, 1)
      return createBackend({
        name,
        log,
        tools: [
          createTool({ metadata: { name: 'hello', description: 'Greets', inputSchema }, handler: () => greet }),
          createTool({
            metadata: { name: 'wait', description: 'Greets late', inputSchema },
            async handler() {
              await late()
              return greet
            },
          }),
        ],
        close: () => count(greet, -1),
      })
    },
  })
  return { plugin, made }
}
