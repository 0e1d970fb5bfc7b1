import type { BackendEntry } from '../../shared/backend-entry.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'

type PrefixedTenant = Pick<TenantEntry, 'tenant' | 'separator' | 'backends' | 'single'>

/**
 * The backend that an unknown name may be of, among those that may have more names than are known. It is the one whose
 * prefix the name has; a name without the prefix of any backend may be of one without a prefix. `undefined`: no backend has
 * the name.
 *
 * @param candidates the backends that may have more names, such as those whose lists are not known
 */
export function possibleOwner(
  tenant: PrefixedTenant,
  candidates: readonly BackendEntry[],
  name: string,
): BackendEntry | undefined {
  if (candidates.length === 0) return undefined
  const named = namedOwners(tenant, name)
  if (named.length > 0) return named.find((entry) => candidates.includes(entry))
  return candidates.find((entry) => prefixIn(tenant, entry) === '')
}

/** The backends whose prefix a name has. */
export function namedOwners(tenant: PrefixedTenant, name: string): readonly BackendEntry[] {
  return tenant.backends.filter((entry) => {
    const prefix = prefixIn(tenant, entry)
    return prefix !== '' && name.startsWith(`${prefix}${tenant.separator}`)
  })
}
