import { prefixOf } from '@junctor/protocol'
import type { BackendEntry } from './backend-entry.ts'
import type { TenantEntry } from './tenant-entry.ts'

/** The prefix under which a tenant sees a backend; empty: names and URIs are the backend's own. */
export function prefixIn({ tenant }: Pick<TenantEntry, 'tenant'>, { prefix, backend }: BackendEntry): string {
  return prefixOf(prefix, backend.name, tenant.profile)
}
