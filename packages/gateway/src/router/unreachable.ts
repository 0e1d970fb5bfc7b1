import type { Outcome } from '@junctor/exchange'
import type { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'
import { prefixIn } from '../shared/prefix-in.ts'

/**
 * The answer to an unknown name that has the prefix of a backend that cannot be reached. The name is probably that
 * backend's, so "unavailable, try again" is more accurate than "unknown". `undefined`: no such backend exists.
 */
export function unreachableOwner(call: Call, name: string): Outcome | undefined {
  const { caller } = call
  const { tenant } = caller
  const missing = caller.seen?.missing ?? []
  const owner = missing.find((entry) => {
    const prefix = prefixIn(tenant, entry)
    return prefix !== '' && name.startsWith(`${prefix}${tenant.separator}`)
  })
  return owner === undefined ? undefined : failed(call, 'backend_unavailable', { backend: owner.backend.name })
}
