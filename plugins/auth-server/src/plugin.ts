import { createBackend, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { config } from './config.ts'

/**
 * An authorization server for this gateway, made with oidc-provider. People log in on its pages and agree to what a client
 * asks for, and the client gets a token for one endpoint. It is for development and small installations. `auth.server`
 * names the backend.
 */
export const authServerPlugin: Plugin<typeof config> = definePlugin({
  name: '@junctor/plugin-auth-server',
  key: 'authServer',
  config,
  async create({ authServer }, context) {
    // Most gateways have no such backend, and should start without loading its library.
    const { createAuthServer } = await import('./create-auth-server.ts')
    const server = await createAuthServer(authServer, context)
    context.servePages(server.pages)
    context.issueTokens(server.tokens)
    return createBackend({ name: context.name, log: context.log, close: () => server.close() })
  },
})
