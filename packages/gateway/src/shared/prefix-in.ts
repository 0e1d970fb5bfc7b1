import { prefixOf } from '@junctor/protocol'
import type { BackendEntry } from './backend-entry.ts'
import type { TenantEntry } from './tenant-entry.ts'

/** The prefix under which a tenant sees a backend. Empty: the tenant sees the backend's own names and URIs. */
export function prefixIn(
  { tenant, single }: Pick<TenantEntry, 'tenant' | 'single'>,
  { prefix, backend }: BackendEntry,
): string {
  if (single === true) return ''
  return prefixOf(prefix, backend.name, tenant.profile)
}

/** The name of the asking backend that is put in front of its questions to a person. Empty: none is put there. */
export function askerIn(tenant: Pick<TenantEntry, 'tenant' | 'namesAskers' | 'single'>, entry: BackendEntry): string {
  return tenant.namesAskers === false ? '' : prefixIn(tenant, entry)
}
