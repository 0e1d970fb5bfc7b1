import { hash } from 'node:crypto'
import type { Config } from '@junctor/config'

/**
 * The same for two configurations that let the same callers do the same: tenants, credentials, limits, and the backends
 * but for how each is reached. Says nothing of what is in them; 12 hexadecimal digits.
 */
export function policyFingerprint({ tenants, auth, limits, timeoutMs, gatewayTools, backends }: Config): string {
  const policy = {
    tenants: byName(tenants),
    auth: { ...auth, apiKeys: byName(auth.apiKeys) },
    limits,
    timeoutMs,
    gatewayTools,
    backends: byName(backends),
  }
  return hash('sha256', JSON.stringify(policy, sorted), 'hex').slice(0, 12)
}

function byName<Named extends { readonly name: string }>(named: readonly Named[]): readonly Named[] {
  return named.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** How a backend is reached. */
const ways: ReadonlySet<string> = new Set(['options', 'referred'])

/** The order of an object's members in the file says nothing. */
function sorted(key: string, value: unknown): unknown {
  if (ways.has(key)) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
