import { definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { config } from './config.ts'
import { createOpenApiBackend } from './create-openapi-backend.ts'

/** `{ openapi: ./billing.openapi.json, baseUrl: https://billing.internal }`: the operations of an HTTP API as tools. */
export const openApiPlugin: Plugin<typeof config> = definePlugin({
  name: '@junctor/plugin-openapi',
  key: 'openapi',
  config,
  isRemote: ({ openapi }) => /^https?:\/\//i.test(openapi),
  create: (options, { name, log, folder }) => createOpenApiBackend({ name, config: options, log, folder }),
})
