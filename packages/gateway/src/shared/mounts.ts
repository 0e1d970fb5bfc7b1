import { mountName } from '@junctor/protocol'
import type { TenantEntry } from './tenant-entry.ts'

/**
 * The tenants, and after them an endpoint of its own for each backend of each: with this backend alone, under its own
 * names.
 */
export function withMounts(tenants: readonly TenantEntry[]): readonly TenantEntry[] {
  return [...tenants, ...tenants.flatMap((entry) => mountsOf(entry))]
}

function mountsOf(entry: TenantEntry): readonly TenantEntry[] {
  const { name, profile } = entry.tenant
  const backends = entry.backends.filter(({ builtIn }) => builtIn !== true)
  return backends.map((backend) => ({
    ...entry,
    tenant: { name: mountName(name, backend.backend.name), profile },
    backends: [backend],
    single: true as const,
  }))
}
