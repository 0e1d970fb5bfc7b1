import type { AuthenticatorOptions } from '@junctor/auth'
import type { Config } from '@junctor/config'
import type { TenantEntry } from '@junctor/gateway'
import { profileNamed } from './profile-named.ts'
import { endpointUrl } from './endpoint-url.ts'

/** Returns the options of the authenticator for a configuration's tenants: callers and credentials. */
export function authenticatorOptions(
  config: Config,
  entries: readonly TenantEntry[],
  { log, emit }: Required<Pick<AuthenticatorOptions, 'log' | 'emit'>>,
): AuthenticatorOptions {
  const { auth, tenants, profile, server } = config
  const base = endpointUrl(config)
  const members = new Map(tenants.map((tenant) => [tenant.name, tenant.members]))
  return {
    tenants: entries.map(({ tenant, backends }) => ({
      tenant,
      members: members.get(tenant.name),
      backends: backends.filter(({ builtIn }) => builtIn !== true).map(({ backend }) => backend.name),
    })),
    profile: profileNamed(profile),
    apiKeys: auth.apiKeys,
    issuer: auth.issuer && { ...auth.issuer, toolScopes: Object.values(auth.issuer.toolScopes).flat() },
    resource: base === undefined ? undefined : { base, name: server.name },
    anonymous: auth.anonymous,
    log,
    emit,
  }
}
