import { definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { config } from './config.ts'
import { createDemo } from './create-demo.ts'

/** `{ plugin: "@junctor/plugin-demo" }`: something to call before there is anything of your own. */
export const demoPlugin: Plugin<typeof config> = definePlugin({
  name: '@junctor/plugin-demo',
  key: 'plugin',
  config,
  create: (_options, context) => createDemo(context.name, context.log),
})
