import { isUnstored, pageHeaders, unstoredPage } from '@junctor/plugin-sdk/pages'
import { type Configuration, errors } from 'oidc-provider'
import { assertionGrant, takesAssertions } from '../assertions/assertion-grant.ts'
import type { AuthServerConfig } from '../config.ts'
import { errorPage } from '../pages/error-page.ts'
import type { People } from '../users/people.ts'
import { createInteractionPolicy } from './interaction-policy.ts'
import { mayRedirect } from './registration.ts'
import type { ServerKeys } from './server-keys.ts'
import { isEndpoint, type ServerPaths } from './server-paths.ts'
import { mayAsk, mayRevoke } from './own-tokens.ts'
import { isUnread, unread } from './unread-documents.ts'

/** The parts from which the options of the library are made. */
export interface ProviderParts {
  readonly config: AuthServerConfig
  readonly paths: ServerPaths
  readonly keys: ServerKeys
  readonly people: People
  readonly adapter: NonNullable<Configuration['adapter']>
  readonly fetch: NonNullable<Configuration['fetch']>
}

/** The name of the profile of identity assertions in the metadata of the server. */
const grantProfile = 'urn:ietf:params:oauth:grant-profile:id-jag'

/** How long records live, in seconds. */
export const lifetimes: Readonly<Record<'code' | 'interaction' | 'session', number>> = {
  code: 60,
  interaction: 15 * 60,
  session: 24 * 60 * 60,
}

/** The options of oidc-provider: the code flow with PKCE, refresh tokens that are used once, opaque tokens for one endpoint. */
export function providerOptions({ keys, people, adapter, fetch, ...parts }: ProviderParts): Configuration {
  const { config, paths } = parts
  const { scopes } = config
  return {
    adapter,
    fetch,
    jwks: { keys: [keys.signing] },
    cookies: {
      keys: [keys.cookies],
      names: { session: 'junctor_login', interaction: 'junctor_interaction', resume: 'junctor_resume' },
    },
    clients: serviceClients(config),
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    scopes: ['openid', 'offline_access', ...scopes],
    ...(takesAssertions(config) && {
      discovery: { authorization_grant_profiles_supported: [grantProfile] },
    }),
    responseTypes: ['code'],
    pkce: { required: () => true },
    // Any client may run in a browser. None of these endpoints reads cookies.
    clientBasedCORS: () => true,
    async findAccount(_context, name) {
      const person = await people.find(name)
      return person === undefined ? undefined : { accountId: name, claims: () => ({ sub: name }) }
    },
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // A browser forgets its login after a day, and with the next person who logs in there. The clients of a person do not.
    expiresWithSession: async () => false,
    interactions: {
      policy: createInteractionPolicy(scopes),
      url: (_context, { uid }) => `${paths.prefix}${paths.interaction}/${uid}`,
    },
    renderError: (context, { error, error_description: description }, failure) => {
      const page = isUnstored(failure)
        ? unstoredPage()
        : errorPage(error, isUnread(failure) ? unread.text : (description ?? ''))
      context.set({ ...pageHeaders(page) })
      context.body = page
      if (!isUnread(failure)) return
      context.status = 503
      context.set('retry-after', unread.retryAfter)
    },
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      registration: paths.register,
      revocation: paths.revoke,
      introspection: paths.introspect,
      jwks: paths.keys,
    },
    ttl: lifetimesOf(config),
    features: features(parts),
  }
}

function lifetimesOf({ accessToken, refreshToken }: AuthServerConfig): NonNullable<Configuration['ttl']> {
  return {
    AccessToken: accessToken,
    AuthorizationCode: lifetimes.code,
    ClientCredentials: accessToken,
    Grant: refreshToken,
    IdToken: accessToken,
    Interaction: lifetimes.interaction,
    RefreshToken: refreshToken,
    Session: lifetimes.session,
  }
}

function features({ config, paths }: Pick<ProviderParts, 'config' | 'paths'>): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    clientCredentials: { enabled: Object.keys(config.clients).length > 0 },
    dPoP: { enabled: true },
    introspection: { enabled: true, allowedPolicy: async (_context, client, token) => mayAsk(client, token) },
    revocation: { enabled: true, allowedPolicy: async (_context, client, token) => mayRevoke(client, token) },
    registration: { enabled: config.registration.open, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      enabled: config.registration.open,
      ack: 'draft-02',
      allowClient: (_context, { redirectUris = [] }) =>
        redirectUris.every((uri) => mayRedirect(uri, config.registration.hosts)),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => `${paths.issuer}/mcp`,
      useGrantedResource: () => true,
      getResourceServerInfo({ oidc }, resource, client) {
        if (!isEndpoint(paths.issuer, resource)) throw new errors.InvalidTarget('it is no endpoint of this gateway')
        const own = config.clients[client.clientId]
        // Anybody may register a client. A person has to agree before it gets tokens.
        if (own === undefined && oidc.params?.['grant_type'] === 'client_credentials')
          throw new errors.UnauthorizedClient('only programs of the configuration get tokens for themselves')
        return { scope: (own?.scopes ?? config.scopes).join(' '), audience: resource, accessTokenFormat: 'opaque' }
      },
    },
  }
}

function serviceClients(config: AuthServerConfig): NonNullable<Configuration['clients']> {
  return Object.entries(config.clients).map(([id, { secret, scopes }]) => ({
    client_id: id,
    client_secret: secret,
    grant_types: ['client_credentials', ...(takesAssertions(config) ? [assertionGrant] : [])],
    redirect_uris: [],
    response_types: [],
    scope: scopes.join(' '),
  }))
}
