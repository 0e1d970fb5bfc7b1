import type { PassedExtensions } from '@junctor/protocol'
import type { TenantEntry } from './tenant-entry.ts'

/** The extensions beside those of the gateway that pass between the clients and the backends of a tenant. */
export function passedExtensions({
  single,
  relayExtensions = [],
}: Pick<TenantEntry, 'single' | 'relayExtensions'>): PassedExtensions {
  return single === true ? 'all' : relayExtensions
}
