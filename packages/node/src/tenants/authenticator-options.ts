import type { AuthenticatorOptions, TokenServerOptions } from '@junctor/auth'
import type { Config, TokenServerConfig } from '@junctor/config'
import type { TenantEntry } from '@junctor/gateway'
import { JunctorError } from '@junctor/protocol'
import type { BackendOffers } from '../backends/backend-offers.ts'
import { profileNamed } from './profile-named.ts'
import { endpointUrl } from './endpoint-url.ts'

/** What callers are judged by. */
interface Judged {
  readonly config: Config
  readonly entries: readonly TenantEntry[]
  /** What backends offer, by name. */
  readonly offers: ReadonlyMap<string, BackendOffers>
}

/** Returns the options of the authenticator for a configuration's tenants: callers and credentials. */
export function authenticatorOptions(
  { config, entries, offers }: Judged,
  { seal, log, emit, proofs }: Required<Pick<AuthenticatorOptions, 'seal' | 'log' | 'emit' | 'proofs'>>,
): AuthenticatorOptions {
  const { auth, tenants, profile, server } = config
  const base = endpointUrl(config)
  const members = new Map(tenants.map((tenant) => [tenant.name, tenant.members]))
  return {
    tenants: entries.map(({ tenant, backends }) => ({
      tenant,
      members: members.get(tenant.name),
      backends: backends.filter(({ builtIn }) => builtIn !== true).map(({ backend }) => backend.name),
      takesCallerTokens: backends.some(({ backend }) => backend.takesCallerToken === true),
    })),
    profile: profileNamed(profile),
    apiKeys: auth.apiKeys,
    issuer: auth.issuer && { ...auth.issuer, toolScopes: Object.values(auth.issuer.toolScopes).flat() },
    server: auth.server && { ...tokenServer(auth.server, offers), ...endpointsOf(config) },
    resource: base === undefined ? undefined : { base, name: server.name },
    anonymous: auth.anonymous,
    seal,
    proofs,
    log,
    emit,
  }
}

function endpointsOf({ publicUrl, discovery: { oauthPaths } }: Config): Pick<TokenServerOptions, 'endpoints'> {
  if (publicUrl === undefined) return {}
  const endpoints = {
    authorization_endpoint: `${publicUrl}${oauthPaths.authorize}`,
    token_endpoint: `${publicUrl}${oauthPaths.token}`,
    registration_endpoint: `${publicUrl}${oauthPaths.register}`,
  }
  return { endpoints }
}

/** Throws `CONFIG_INVALID` when the backend issues no tokens. */
function tokenServer({ backend, scopes, toolScopes }: TokenServerConfig, offers: Judged['offers']): TokenServerOptions {
  const tokens = offers.get(backend)?.tokens
  if (tokens === undefined) {
    throw new JunctorError(
      'CONFIG_INVALID',
      `auth.server: the backend ${backend} is no authorization server: name a backend with authServer`,
    )
  }
  return { ...tokens, scopes, toolScopes: Object.values(toolScopes).flat() }
}
