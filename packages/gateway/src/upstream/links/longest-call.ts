import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { openTimeoutMs } from './link-opener.ts'

/** Margin above the longest timeout of a backend, in milliseconds: a backend's own timeout must come first. */
const netMs = 5_000

/** The longest timeout of any call of these tenants, in milliseconds. */
export function longestCall(tenants: readonly TenantEntry[]): number {
  const times = tenants.flatMap(({ backends }) => backends.map(({ timeoutMs }) => timeoutMs))
  return openTimeoutMs + Math.max(0, ...times) + netMs
}
