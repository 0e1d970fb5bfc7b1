import {
  createClientCredentials,
  createOAuthHttp,
  createPersonCredentials,
  type OAuthClient,
  type PersonCredentials,
  readPrivateKey,
} from '@junctor/credentials'
import {
  type AccessTokens,
  headers as names,
  JunctorError,
  type Log,
  type PluginContext,
} from '@junctor/plugin-sdk/link'
import type { ClientCredentialsConfig, OAuthConfig, UrlConfig } from '../config.ts'

/** What tokens of people need of the gateway. */
export type GatewayAccess = Pick<PluginContext, 'site' | 'store' | 'seal' | 'servePages'>

/** Whose tokens a server receives. */
export type Credentials =
  /** Fixed headers, or none. */
  | { readonly kind: 'fixed' }
  /** Those of the gateway. */
  | { readonly kind: 'machine'; readonly tokens: AccessTokens; readonly close: () => Promise<void> }
  /** Those of each caller. */
  | { readonly kind: 'person'; readonly people: PersonCredentials }

export interface CredentialsParts {
  readonly name: string
  readonly config: UrlConfig
  readonly log: Log
  readonly gateway: GatewayAccess | undefined
}

/** @throws JunctorError `CONFIG_INVALID` when the configuration cannot be used here */
export function createCredentials(parts: CredentialsParts): Credentials {
  const { auth, headers } = parts.config
  const { clientCredentials, oauth } = auth ?? {}
  if (clientCredentials === undefined && oauth === undefined) return { kind: 'fixed' }
  if (Object.keys(headers).some((name) => name.toLowerCase() === names.authorization)) {
    throw new JunctorError('CONFIG_INVALID', 'Expected either auth or the header authorization, got both')
  }
  return oauth === undefined ? machine(parts.config.url, clientCredentials) : person(parts, oauth)
}

function machine(serverUrl: string, config: ClientCredentialsConfig | undefined): Credentials {
  if (config === undefined) return { kind: 'fixed' }
  const { clientId, clientSecret, privateKey, keyId, scope, issuer } = config
  const proof: OAuthClient['proof'] =
    privateKey === undefined
      ? { kind: 'secret', secret: clientSecret ?? '' }
      : { kind: 'key', key: readPrivateKey(privateKey), keyId }
  const http = createOAuthHttp(issuer === undefined ? [serverUrl] : [serverUrl, issuer])
  const client = { clientId, proof }
  const tokens = createClientCredentials({ serverUrl, client, scope, issuer, http, now: Date.now })
  return { kind: 'machine', tokens, close: () => http.close() }
}

function person({ name, config, log, gateway }: CredentialsParts, oauth: OAuthConfig): Credentials {
  if (gateway === undefined) throw new JunctorError('CONFIG_INVALID', 'auth.oauth needs the pages of a gateway')
  const { site, store, seal, servePages } = gateway
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
    store,
    seal,
    log,
    now: Date.now,
  })
  servePages(people.pages)
  return { kind: 'person', people }
}
