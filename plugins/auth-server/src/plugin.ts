import { createBackend, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { config } from './config.ts'

/**
 * An authorization server for this gateway, on oidc-provider: people log in on its pages, agree to what a client asks for, and
 * the client gets tokens for one endpoint. For development and small installations. `auth.server` names the backend.
 */
export const authServerPlugin: Plugin<typeof config> = definePlugin({
  name: '@junctor/plugin-auth-server',
  key: 'authServer',
  config,
  async create({ authServer }, context) {
    // Most gateways have no such backend, and should not wait for its library at their start.
    const { createAuthServer } = await import('./create-auth-server.ts')
    const server = await createAuthServer(authServer, context)
    context.servePages(server.pages)
    context.issueTokens(server.tokens)
    return createBackend({ name: context.name, log: context.log, close: () => server.close() })
  },
})
