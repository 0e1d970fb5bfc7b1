import type { Outcome } from '@junctor/exchange'
import type { Call } from '../calls/call.ts'
import { failed } from '../errors.ts'

/**
 * The answer to a name that nobody offers now, but that starts like those of a backend that cannot be reached: it is
 * probably that backend's, so "unavailable, try again" is truer than "unknown". `undefined` when no such backend is.
 */
export function unreachableOwner(call: Call, name: string): Outcome | undefined {
  const { session } = call
  const { backends, separator } = session.tenant
  const missing = session.seen?.missing ?? []
  const owner = backends.find(
    (entry) => entry.prefix !== '' && missing.includes(entry) && name.startsWith(`${entry.prefix}${separator}`),
  )
  return owner === undefined ? undefined : failed(call, 'backend_unavailable', { backend: owner.backend.name })
}
