import { resolve } from 'node:path'
import { definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { config } from './config.ts'
import { createDemo } from './create-demo.ts'
import { createSaasServer } from './saas/create-saas-server.ts'

/** `{ plugin: "@junctor/plugin-demo" }`: a backend to call before you have one of your own. */
export const demoPlugin: Plugin<typeof config> = definePlugin({
  name: '@junctor/plugin-demo',
  key: 'plugin',
  config,
  create({ saas }, { name, log, folder }) {
    if (saas === undefined) return createDemo(name, log)
    return createSaasServer(name, log, saas.files === undefined ? undefined : resolve(folder, saas.files))
  },
})
