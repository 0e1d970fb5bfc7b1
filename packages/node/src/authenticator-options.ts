import type { AuthenticatorOptions } from '@junctor/auth'
import type { Config } from '@junctor/config'
import type { TenantEntry } from '@junctor/gateway'
import { profileNamed } from './profile-named.ts'

/** Returns the options of the authenticator for a configuration's tenants: callers and credentials. */
export function authenticatorOptions(
  { auth, tenants, profile }: Config,
  entries: readonly TenantEntry[],
  { log, emit }: Required<Pick<AuthenticatorOptions, 'log' | 'emit'>>,
): AuthenticatorOptions {
  const members = new Map(tenants.map((tenant) => [tenant.name, tenant.members]))
  return {
    tenants: entries.map(({ tenant, backends }) => ({
      tenant,
      members: members.get(tenant.name),
      backends: backends.filter(({ builtIn }) => builtIn !== true).map(({ backend }) => backend.name),
    })),
    profile: profileNamed(profile),
    apiKeys: auth.apiKeys,
    issuer: auth.issuer,
    anonymous: auth.anonymous,
    log,
    emit,
  }
}
