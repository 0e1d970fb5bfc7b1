import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpPages, PluginContext, TokenIssuer } from '@junctor/plugin-sdk'
import { Provider } from 'oidc-provider'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { registerAssertionGrant, takesAssertions } from './assertions/assertion-grant.ts'
import { longestSeconds } from './assertions/judge-assertion.ts'
import { createAssertionVerifier } from './assertions/verify-assertion.ts'
import type { AuthServerConfig } from './config.ts'
import { createFormTokens } from './pages/form-token.ts'
import { answerInteraction } from './pages/interactions.ts'
import { readBody } from '@junctor/plugin-sdk/pages'
import { introspect } from './provider/introspect.ts'
import { guardedFetch } from './provider/guarded-fetch.ts'
import { providerOptions } from './provider/provider-options.ts'
import { judgeRegistration } from './provider/registration.ts'
import { loadServerKeys } from './provider/server-keys.ts'
import { type ServerPaths, serverPaths } from './provider/server-paths.ts'
import { createAdapters } from './provider/store-adapter.ts'
import { createUsers } from './users/users.ts'

/** The authorization server of a gateway. */
export interface AuthServer {
  readonly pages: HttpPages
  readonly tokens: TokenIssuer
  /** Closes connections to other servers. */
  close(): Promise<void>
}

const dayMs = 24 * 60 * 60 * 1000

const mostRegistrationBytes = 64 * 1024

/** Registrations from one address in a minute. */
const mostRegistrations = 20

/** Creates the server. Any node of a cluster answers any step, because all records are in the store. */
export async function createAuthServer(
  config: AuthServerConfig,
  { site, store, log }: Pick<PluginContext, 'site' | 'store' | 'log'>,
): Promise<AuthServer> {
  const { publicUrl } = site
  if (publicUrl === undefined)
    throw new Error('an authorization server needs publicUrl: the URL that its tokens are for')
  const paths = serverPaths(publicUrl, site.oauthPaths)
  const keys = await loadServerKeys(store('keys', 5 * 365 * dayMs))
  const users = createUsers(config.users)
  const adapter = createAdapters({
    short: store('short', dayMs + 60_000),
    long: store('long', config.refreshToken * 1000 + dayMs),
    clients: store('clients', 365 * dayMs),
  })
  const documents = guardedFetch(config.documentHosts)
  const provider = new Provider(
    paths.issuer,
    providerOptions({ config, paths, keys, users, adapter, fetch: documents.fetch }),
  )
  const verifier = createAssertionVerifier(config.issuers, paths.issuer)
  if (takesAssertions(config)) {
    const used = store<true>('assertions', (longestSeconds + 60) * 1000)
    registerAssertionGrant(provider, { config, issuer: paths.issuer, verifier, used })
  }
  // The URL of the server is configured: `startRequest` says it to the library.
  provider.proxy = true
  provider.on('server_error', (_context, error) => log.error('the authorization server has failed', { error }))
  const library = provider.callback()
  const interactions = { provider, users, forms: createFormTokens(keys.cookies), origin: new URL(publicUrl).origin }
  const registrations = new RateLimiterMemory({ points: mostRegistrations, duration: 60 })

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    request.url = withoutPrefix(request.url ?? '', paths)
    const path = request.url.split('?', 1)[0] ?? ''
    startRequest(request, paths)
    if (path === paths.authorize) request.url = withScope(request.url ?? '', config.scopes)
    if (path.startsWith(`${paths.interaction}/`)) return answerInteraction(interactions, request, response)
    if (path === paths.register && request.method === 'POST' && config.registration.open) {
      const isReady = await readRegistration(request, response, config.registration, registrations)
      if (!isReady) return
    }
    await library(request, response)
  }

  return {
    pages: { paths: pathsOf(paths), handle },
    tokens: {
      issuer: paths.issuer,
      introspect: (token) => introspect({ provider, users, clients: config.clients, issuers: config.issuers }, token),
    },
    close: async () => void (await Promise.all([documents.close(), verifier.close()])),
  }
}

/** Where the metadata of the server are. Clients put the path of the issuer behind these (RFC 8414 section 3.1). */
const metadata = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']

/** The library knows its metadata without the path of the issuer. */
function withoutPrefix(url: string, { prefix }: ServerPaths): string {
  return metadata.find((path) => prefix !== '' && url.split('?', 1)[0] === `${path}${prefix}`) ?? url
}

function pathsOf({
  authorize,
  token,
  register,
  revoke,
  introspect: introspection,
  keys,
  interaction,
  prefix,
}: ServerPaths): string[] {
  const places = prefix === '' ? metadata : [...metadata, ...metadata.map((path) => `${path}${prefix}`)]
  return [...places, authorize, `${authorize}/*`, token, register, revoke, introspection, keys, `${interaction}/*`]
}

/**
 * A client that asks for no scope gets the default (RFC 6749 section 3.3): all that the person may agree to. Without any, the
 * library would take the agreement for a refusal.
 */
function withScope(url: string, scopes: readonly string[]): string {
  const [path = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  if (parameters.has('scope') || parameters.size === 0 || scopes.length === 0) return url
  parameters.set('scope', scopes.join(' '))
  return `${path}?${parameters.toString()}`
}

/** Replaces what proxies and clients say of the server's URL by the configured one. */
function startRequest(request: IncomingMessage & { originalUrl?: string }, { issuer, prefix }: ServerPaths): void {
  const { protocol, host } = new URL(issuer)
  for (const name of Object.keys(request.headers)) if (/^(?:x-)?forwarded/.test(name)) delete request.headers[name]
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.headers['x-forwarded-host'] = host
  request.originalUrl = `${prefix}${request.url ?? ''}`
}

/** Reads a registration for the library, or refuses it. Returns whether the library may go on. */
async function readRegistration(
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  registration: AuthServerConfig['registration'],
  limiter: RateLimiterMemory,
): Promise<boolean> {
  const refuse = (status: number, error: string, description: string): false => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(JSON.stringify({ error, error_description: description }))
    return false
  }
  try {
    await limiter.consume(request.socket.remoteAddress ?? '')
  } catch {
    return refuse(429, 'temporarily_unavailable', 'Too many registrations. Wait a minute.')
  }
  const text = await readBody(request, mostRegistrationBytes)
  if (text === undefined) return refuse(413, 'invalid_client_metadata', 'Expected at most 64 KiB')
  const verdict = judgeRegistration(text, registration)
  if (verdict.kind === 'refused') return refuse(400, verdict.error, verdict.description)
  request.body = verdict.metadata
  return true
}
