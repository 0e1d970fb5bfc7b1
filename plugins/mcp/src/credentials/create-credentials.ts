import {
  configuredClient,
  createAssertionExchange,
  createClientCredentials,
  createExchanges,
  createOAuthHttp,
  createPersonCredentials,
  createTokenExchange,
  type Exchanges,
  type IssuingParty,
  type OAuthClient,
  type OAuthHttp,
  type ObtainTokens,
  type PersonCredentials,
} from '@junctor/credentials'
import {
  type AccessTokens,
  headers as names,
  JunctorError,
  type Log,
  type PluginContext,
} from '@junctor/plugin-sdk/link'
import type {
  ClientCredentialsConfig,
  IdentityAssertionConfig,
  IssuerConfig,
  OAuthConfig,
  TokenExchangeConfig,
  UrlConfig,
} from '../config.ts'

/** What tokens of people need of the gateway. */
export type GatewayAccess = Pick<
  PluginContext,
  'site' | 'store' | 'seal' | 'servePages' | 'showAccounts' | 'openCallerToken'
>

/** Whose tokens a server receives. */
export type Credentials =
  /** Fixed headers, or none. */
  | { readonly kind: 'fixed' }
  /** Those of the gateway. */
  | { readonly kind: 'machine'; readonly tokens: AccessTokens; readonly close: () => Promise<void> }
  /** Those for which the tokens of callers are exchanged. */
  | { readonly kind: 'exchange'; readonly exchanges: Exchanges; readonly close: () => Promise<void> }
  /** Those of each caller, who has agreed. */
  | { readonly kind: 'person'; readonly people: PersonCredentials }

/** The `auth` of a backend's configuration, and what the gateway gives for tokens of people. */
export interface CredentialsParts {
  readonly name: string
  readonly config: UrlConfig
  readonly log: Log
  readonly gateway: GatewayAccess | undefined
}

/** @throws JunctorError `CONFIG_INVALID` when the configuration cannot be used here */
export function createCredentials(parts: CredentialsParts): Credentials {
  const { auth, headers } = parts.config
  const { clientCredentials, oauth, tokenExchange, identityAssertion } = auth ?? {}
  if (auth === undefined || auth.bearer !== undefined) return { kind: 'fixed' }
  if (Object.keys(headers).some((name) => name.toLowerCase() === names.authorization)) {
    throw new JunctorError('CONFIG_INVALID', 'Expected either auth or the header authorization, got both')
  }
  if (tokenExchange !== undefined) return exchange(parts, tokenExchange)
  if (identityAssertion !== undefined) return assertion(parts, identityAssertion)
  return oauth === undefined ? machine(parts.config.url, clientCredentials) : person(parts, oauth)
}

function exchange(parts: CredentialsParts, own: TokenExchangeConfig): Credentials {
  const { issuer, audience, scope } = own
  // Only this host: nothing that the server says decides where the token of a caller goes.
  const http = createOAuthHttp([issuer])
  const exchanged = {
    serverUrl: parts.config.url,
    client: configuredClient(own),
    issuer,
    audience,
    scope,
    http,
    now: Date.now,
  }
  return exchanging(parts, 'tokenExchange', createTokenExchange(exchanged), [http])
}

function assertion(parts: CredentialsParts, own: IdentityAssertionConfig): Credentials {
  const [identityProvider, authorizationServer] = [partyOf(own.identityProvider), partyOf(own.authorizationServer)]
  const both = { identityProvider, authorizationServer, scope: own.scope }
  const obtain = createAssertionExchange({ serverUrl: parts.config.url, ...both, now: Date.now })
  return exchanging(parts, 'identityAssertion', obtain, [identityProvider.http, authorizationServer.http])
}

/** Each has connections of its own, which reach no private host of the other one. */
function partyOf(config: IssuerConfig): IssuingParty {
  return { issuer: config.issuer, client: configuredClient(config), http: createOAuthHttp([config.issuer]) }
}

function exchanging(
  { gateway }: CredentialsParts,
  word: string,
  obtain: ObtainTokens,
  https: readonly OAuthHttp[],
): Credentials {
  if (gateway === undefined)
    throw new JunctorError('CONFIG_INVALID', `auth.${word} needs the callers of a gateway: give the option "gateway"`)
  return {
    kind: 'exchange',
    exchanges: createExchanges({ obtain, open: gateway.openCallerToken, now: Date.now }),
    async close() {
      await Promise.all(https.map((http) => http.close()))
    },
  }
}

function machine(serverUrl: string, config: ClientCredentialsConfig | undefined): Credentials {
  if (config === undefined) return { kind: 'fixed' }
  const { scope, issuer } = config
  const http = createOAuthHttp(issuer === undefined ? [serverUrl] : [serverUrl, issuer])
  const client = configuredClient(config)
  const tokens = createClientCredentials({ serverUrl, client, scope, issuer, http, now: Date.now })
  return { kind: 'machine', tokens, close: () => http.close() }
}

function person({ name, config, log, gateway }: CredentialsParts, oauth: OAuthConfig): Credentials {
  if (gateway === undefined)
    throw new JunctorError('CONFIG_INVALID', 'auth.oauth needs the pages of a gateway: give the option "gateway"')
  const { site, store, seal, servePages, showAccounts } = gateway
  const { clientId, clientSecret, scope, issuer } = oauth
  const proof: OAuthClient['proof'] =
    clientSecret === undefined ? { kind: 'none' } : { kind: 'secret', secret: clientSecret }
  const people = createPersonCredentials({
    backend: name,
    serverUrl: config.url,
    client: clientId === undefined ? undefined : { clientId, proof },
    scope,
    issuer,
    site,
    showAccounts,
    store,
    seal,
    log,
    now: Date.now,
  })
  servePages(people.pages)
  return { kind: 'person', people }
}
