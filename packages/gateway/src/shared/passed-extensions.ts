import type { PassedExtensions } from '@junctor/protocol'
import type { TenantEntry } from './tenant-entry.ts'

/** The extensions that the gateway does not know, and still declares between the clients and the backends of a tenant. */
export function passedExtensions({
  single,
  relayExtensions = [],
}: Pick<TenantEntry, 'single' | 'relayExtensions'>): PassedExtensions {
  return single === true ? 'all' : relayExtensions
}
