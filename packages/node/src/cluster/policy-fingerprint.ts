import { hash } from 'node:crypto'
import type { BackendConfig, Config } from '@junctor/config'

/**
 * Returns a fingerprint, 12 hexadecimal digits. It is equal for two configurations that give the same callers the same
 * permissions: tenants, credentials, limits, approved tools, and backends without the way each is reached. It reveals
 * nothing of their content.
 */
export function policyFingerprint(config: Config): string {
  const { tenants, auth, limits, timeoutMs, gatewayTools, pins, backends: all } = config
  // Backends that were added reach the other gateways a moment later.
  const [added, backends] = [all.filter((backend) => backend.added), all.filter((backend) => !backend.added)]
  const names = new Set(added.map(({ name }) => name))
  const policy = {
    tenants: byName(
      tenants.map((tenant) => ({ ...tenant, backends: tenant.backends.filter((name) => !names.has(name)) })),
    ),
    auth: { ...auth, apiKeys: byName(auth.apiKeys) },
    limits,
    timeoutMs,
    gatewayTools,
    pins,
    backends: byName(backends.map(withoutItsWay)),
  }
  return hash('sha256', JSON.stringify(policy, sorted), 'hex').slice(0, 12)
}

function byName<Named extends { readonly name: string }>(named: readonly Named[]): readonly Named[] {
  return named.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** A backend without the members that only define how it is reached. Tools and their parameters may be named like these. */
function withoutItsWay(backend: BackendConfig) {
  // JSON leaves out what is undefined.
  return { ...backend, plugin: backend.plugin.name, options: undefined, secrets: undefined, pluginReference: undefined }
}

/** Removes differences in the order of an object's members. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
