import { createBackend, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import * as z from 'zod'

interface Greeter {
  /**
   * A plugin. `{ greet: '...' }` in a configuration makes a backend whose `hello` answers the greeting immediately, and
   * whose `wait` and `read` answer it later; `read` may run twice.
   */
  readonly plugin: Plugin
  /** The number of open backends, by their greeting. */
  readonly made: Map<string, number>
}

/**
 * Creates a plugin in this process.
 *
 * @param late delays every call of `wait` until it resolves
 */
export function createGreeter(late: () => Promise<void>): Greeter {
  const made = new Map<string, number>()
  const count = (greeting: string, by: 1 | -1): void => void made.set(greeting, (made.get(greeting) ?? 0) + by)
  const inputSchema = { type: 'object' } as const
  const annotations = { readOnlyHint: true } as const
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
          createTool({
            metadata: { name: 'read', description: 'Reads late', inputSchema, annotations },
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
