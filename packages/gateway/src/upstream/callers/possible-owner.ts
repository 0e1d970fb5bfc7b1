import type { BackendEntry } from '../../shared/backend-entry.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'

/**
 * The backend that an unknown name may be of: one whose lists are not known. It is the one whose prefix the name has; a
 * name without the prefix of any backend may be of one without a prefix. `undefined`: no backend has the name.
 *
 * @param missing the backends whose lists are not known
 */
export function possibleOwner(
  tenant: Pick<TenantEntry, 'tenant' | 'separator' | 'backends' | 'single'>,
  missing: readonly BackendEntry[],
  name: string,
): BackendEntry | undefined {
  if (missing.length === 0) return undefined
  const named = namedOwners(tenant, name)
  if (named.length > 0) return named.find((entry) => missing.includes(entry))
  return missing.find((entry) => prefixIn(tenant, entry) === '')
}

/** The backends whose prefix a name has. */
export function namedOwners(
  tenant: Pick<TenantEntry, 'tenant' | 'separator' | 'backends' | 'single'>,
  name: string,
): readonly BackendEntry[] {
  return tenant.backends.filter((entry) => {
    const prefix = prefixIn(tenant, entry)
    return prefix !== '' && name.startsWith(`${prefix}${tenant.separator}`)
  })
}
