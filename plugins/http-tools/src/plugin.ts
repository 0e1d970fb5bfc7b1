import { definePlugin, type Plugin } from '@junctor/plugin-sdk/link'
import { config } from './config.ts'

/** `{ tool: http://weather.internal/ }`: tools behind HTTP as a backend. */
export const httpToolsPlugin: Plugin<typeof config> = definePlugin({
  name: '@junctor/plugin-http-tools',
  key: 'tool',
  config,
  isRemote: () => true,
  async create(options, { name, log }) {
    const { createHttpTools } = await import('./create-http-tools.ts')
    return createHttpTools({ name, config: options, log })
  },
})
