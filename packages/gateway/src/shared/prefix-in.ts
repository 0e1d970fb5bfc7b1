import { prefixOf } from '@junctor/protocol'
import type { BackendEntry } from './backend-entry.ts'
import type { TenantEntry } from './tenant-entry.ts'

/** The prefix under which a tenant sees a backend; empty: names and URIs are the backend's own. */
export function prefixIn({ tenant }: Pick<TenantEntry, 'tenant'>, { prefix, backend }: BackendEntry): string {
  return prefixOf(prefix, backend.name, tenant.profile)
}

/** What a question of a backend that a person reads is marked with; empty: nothing. */
export function askerIn(tenant: Pick<TenantEntry, 'tenant' | 'namesAskers'>, entry: BackendEntry): string {
  return tenant.namesAskers === false ? '' : prefixIn(tenant, entry)
}
