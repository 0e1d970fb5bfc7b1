import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { openTimeoutMs } from './link-opener.ts'

/** Beyond the longest time-out of a backend, in milliseconds: the safety net must not be what ends a call. */
const netMs = 5_000

/** The longest that any call of these tenants may take, in milliseconds. */
export function longestCall(tenants: readonly TenantEntry[]): number {
  const times = tenants.flatMap(({ backends }) => backends.map(({ timeoutMs }) => timeoutMs))
  return openTimeoutMs + Math.max(0, ...times) + netMs
}
