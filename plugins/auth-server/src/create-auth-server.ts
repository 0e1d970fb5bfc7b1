import type { HttpPages, PluginContext, TokenIssuer } from '@junctor/plugin-sdk'
import { Provider } from 'oidc-provider'
import { registerAssertionGrant, takesAssertions } from './assertions/assertion-grant.ts'
import { longestSeconds } from './assertions/judge-assertion.ts'
import { createAssertionVerifier } from './assertions/verify-assertion.ts'
import type { AuthServerConfig } from './config.ts'
import { answerBackchannelLogout } from './pages/backchannel-logout.ts'
import { createFormTokens } from './pages/form-token.ts'
import type { InteractionParts } from './pages/interaction-step.ts'
import { answerInteraction } from './pages/interactions.ts'
import { answerCallback } from './pages/upstream-steps.ts'
import { redirectForm, withDefaultScope } from './provider/authorization-request.ts'
import { countDocuments } from './provider/counted-documents.ts'
import { createLoginCounter } from './provider/begun-logins.ts'
import { guardedFetch } from './provider/guarded-fetch.ts'
import { introspect } from './provider/introspect.ts'
import { logFailures } from './provider/log-failures.ts'
import { reportNotNow } from './provider/not-now.ts'
import { prepareRequest } from './provider/prepare-request.ts'
import { lifetimes, providerOptions } from './provider/provider-options.ts'
import { letPagesRegister } from './provider/let-pages-register.ts'
import { createRegistrationReader } from './provider/read-registration.ts'
import { keepKeys } from './provider/keep-keys.ts'
import { type KeyStore, loadServerKeys, type ServerKeys } from './provider/server-keys.ts'
import { allPaths, type ServerPaths, serverPaths } from './provider/server-paths.ts'
import { reportUnreadDocuments } from './provider/unread-documents.ts'
import { createAdapters, endGrantsOf, type RecordStores } from './provider/store-adapter.ts'
import { createAccounts } from './upstream/accounts.ts'
import { logoutTokenSeconds } from './upstream/logout-token.ts'
import { createUpstreamLogins } from './upstream/upstream-logins.ts'
import { createPeople } from './users/people.ts'
import { createUsers } from './users/users.ts'

/** The authorization server of a gateway. */
export interface AuthServer {
  readonly pages: HttpPages
  readonly tokens: TokenIssuer
  /** Closes connections to other servers. */
  close(): Promise<void>
}

const dayMs = 24 * 60 * 60 * 1000

/** The longest time that a person may spend at an OpenID provider, in milliseconds. */
const stepMs = 10 * 60 * 1000

/** The parts of the plugin's context that the server uses. */
type Context = Pick<PluginContext, 'site' | 'store' | 'seal' | 'log'>

/**
 * Creates the server. Each step of a login may go to any node of a cluster, because all records are in the store. Throws
 * an error without `publicUrl`.
 */
export async function createAuthServer(config: AuthServerConfig, context: Context): Promise<AuthServer> {
  const { site, store, log } = context
  const { publicUrl } = site
  if (publicUrl === undefined)
    throw new Error('an authorization server needs publicUrl: the URL that its tokens are for')
  const paths = serverPaths(publicUrl, site.oauthPaths)
  const keyStore: KeyStore = store('keys', 5 * 365 * dayMs)
  const keys = await loadServerKeys(keyStore)
  const long: RecordStores['long'] = store('long', config.refreshToken * 1000 + dayMs)
  const logins = createLogins(config, paths, context, (account) => endGrantsOf(account, long))
  const adapter = createAdapters({
    begun: store('begun', lifetimes.interaction * 1000 + 60_000),
    short: store('short', dayMs + 60_000),
    long,
    newClients: store('new-clients', dayMs),
    clients: store('clients', 365 * dayMs),
  })
  const documents = guardedFetch(config.documentHosts)
  const verifier = createAssertionVerifier(config.issuers, paths.issuer)
  const used = store<true>('assertions', (longestSeconds + 60) * 1000)
  const { fetch, countFor } = countDocuments(documents.fetch)
  const serve = (current: ServerKeys) => {
    const parts = { config, paths, keys: current, people: logins.people, adapter, fetch }
    const provider = new Provider(paths.issuer, providerOptions(parts))
    if (takesAssertions(config)) {
      registerAssertionGrant(provider, { config, issuer: paths.issuer, verifier, used })
    }
    // The library reads the URL of the server from headers. `prepareRequest` writes the configured URL into them.
    provider.proxy = true
    logFailures(provider, log)
    reportUnreadDocuments(provider)
    reportNotNow(provider)
    const forms = createFormTokens(current.cookies)
    const interactions = { provider, ...logins, forms, origin: new URL(publicUrl).origin, paths, log }
    const known = { provider, people: logins.people, clients: config.clients, issuers: config.issuers }
    return { handle: createHandler(config, interactions), known }
  }
  let serving = serve(keys)
  const endKeeping = keepKeys(keyStore, keys, (changed) => {
    serving = serve(changed)
  })
  return {
    pages: {
      paths: allPaths(paths),
      handle: (request, response, client) => countFor(client, () => serving.handle(request, response, client)),
    },
    tokens: { issuer: paths.issuer, introspect: (token) => introspect(serving.known, token) },
    close: async () => {
      endKeeping()
      await Promise.all([documents.close(), verifier.close(), logins.upstreams.close()])
    },
  }
}

/** Creates the two ways to log in: with a password, and at a provider. */
function createLogins(
  config: AuthServerConfig,
  paths: ServerPaths,
  { store, seal }: Context,
  endGrants: (account: string) => Promise<void>,
) {
  const { upstreams: known } = config
  const users = createUsers(config.users)
  const longest = Math.max(0, ...Object.values(known).map(({ loginAgain }) => loginAgain * 1000))
  const accounts = createAccounts({ upstreams: known, store: store('accounts', longest + dayMs), seal })
  const upstreams = createUpstreamLogins({
    upstreams: known,
    accounts,
    endGrants,
    store: store('upstream', stepMs),
    usedLogouts: store<true>('logouts', (logoutTokenSeconds + 120) * 1000),
    seal,
    redirectUri: (name) => `${paths.issuer}${paths.callback}/${name}`,
  })
  return { users, people: createPeople(users, accounts), upstreams }
}

/** Creates the handler of all requests: for pages, and for endpoints of the library. */
function createHandler(config: AuthServerConfig, interactions: InteractionParts): HttpPages['handle'] {
  const { provider, paths } = interactions
  const library = provider.callback()
  const readRegistration = createRegistrationReader(config.registration)
  const beginLogin = createLoginCounter()
  return async (request, response, client): Promise<void> => {
    const path = prepareRequest(request, paths, client)
    if (path.startsWith(`${paths.interaction}/`)) return answerInteraction(interactions, { request, response, client })
    if (path.startsWith(`${paths.callback}/`)) return answerCallback(interactions, request, response)
    if (path.startsWith(`${paths.backchannelLogout}/`)) return answerBackchannelLogout(interactions, request, response)
    if (path === paths.authorize) {
      if (request.method === 'POST') return redirectForm(request, response, `${paths.prefix}${path}`)
      if (!(await beginLogin(response, client))) return
      request.url = withDefaultScope(request.url ?? '', config.scopes)
    }
    if (path === paths.register && config.registration.open) {
      if (letPagesRegister(request, response) === 'answered') return
      if (request.method === 'POST' && !(await readRegistration(request, response, client))) return
    }
    await library(request, response)
  }
}
