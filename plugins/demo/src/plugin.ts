import { resolve } from 'node:path'
import { definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { config } from './config.ts'

/** `{ plugin: "@junctor/plugin-demo" }`: a backend to call before you have one of your own. */
export const demoPlugin: Plugin<typeof config> = definePlugin({
  name: '@junctor/plugin-demo',
  key: 'plugin',
  config,
  async create({ saas }, { name, log, folder }) {
    // Loaded when it is used: every program with this plugin reads this file, and few open the demo.
    if (saas === undefined) return (await import('./create-demo.ts')).createDemo(name, log)
    const { createSaasServer } = await import('./saas/create-saas-server.ts')
    return createSaasServer(name, log, saas.files === undefined ? undefined : resolve(folder, saas.files))
  },
})
