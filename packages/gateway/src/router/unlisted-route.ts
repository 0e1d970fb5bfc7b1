import type { TenantEntry } from '../shared/tenant-entry.ts'
import { prefixIn } from '../shared/prefix-in.ts'
import { possibleOwner } from '../upstream/callers/possible-owner.ts'
import { permitsName, policyOf } from '../upstream/catalogue/name-policy.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'

/**
 * The route of a name that no list has, but that may be of a backend with accounts of persons. Such a backend lists
 * nothing but its `connect` tool once an access has ended, and a client that remembers its tools must get the link to
 * agree again, not "unknown". Where the person is connected, the server itself answers that it does not have the name.
 *
 * @returns `undefined`: no such backend has the name, or the tenant's policy or the backend's pins hide it
 */
export function unlistedRoute(tenant: TenantEntry, kind: 'tools' | 'prompts', name: string): Route | undefined {
  const personal = tenant.backends.filter(({ backend }) => backend.isPersonal === true)
  const entry = possibleOwner(tenant, personal, name)
  if (entry === undefined || entry.pins?.mode === 'block') return undefined
  const prefix = prefixIn(tenant, entry)
  const own = prefix === '' ? name : name.slice(prefix.length + tenant.separator.length)
  const isPermitted = permitsName(policyOf(tenant, kind), entry.backend.name, own)
  return isPermitted ? { entry, name: own, shown: name } : undefined
}
