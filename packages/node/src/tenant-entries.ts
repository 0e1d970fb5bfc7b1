import type { Config } from '@junctor/config'
import type { BackendEntry, TenantEntry } from '@junctor/gateway'
import { profileNamed } from './profile-named.ts'

/** The tenants of a configuration with the backends that each of them has. */
export function createTenantEntries(config: Config, backends: readonly BackendEntry[]): readonly TenantEntry[] {
  return config.tenants.map((tenant) => {
    const profile = profileNamed(tenant.profile)
    return {
      tenant: { name: tenant.name, profile },
      separator: tenant.separator ?? profile.separator,
      backends: backends.filter((entry) => tenant.backends.includes(entry.backend.name)),
      tools: tenant.tools,
      interceptors: [],
    }
  })
}
