import type { Log } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { type PlainMethods, plainMethods } from './plain-methods.ts'
import { reportCollisions } from './report-collisions.ts'

/** The methods of a tenant's backends, and what they were collected from. */
interface Collected {
  readonly methods: PlainMethods
  /** What each backend has declared, in their order. */
  readonly declared: readonly (readonly string[] | undefined)[]
}

/**
 * The backends of the methods outside MCP, computed for each tenant, and again when a backend declares others: one in a
 * process of its own may start late.
 */
export class MethodOwners {
  readonly #log: Log
  readonly #collected = new WeakMap<TenantEntry, Collected>()

  constructor(log: Log) {
    this.#log = log
  }

  /** The backend of a method. Backends declare their methods without a link, so this never waits. */
  of(tenant: TenantEntry, method: string): BackendEntry | undefined {
    const known = this.#collected.get(tenant)
    const { methods } = known !== undefined && isCurrent(known, tenant) ? known : this.#collect(tenant)
    return methods.owners.get(method)
  }

  #collect(tenant: TenantEntry): Collected {
    const methods = plainMethods(tenant)
    reportCollisions(this.#log, methods.collisions)
    const collected = { methods, declared: tenant.backends.map(({ backend }) => backend.methods) }
    this.#collected.set(tenant, collected)
    return collected
  }
}

function isCurrent({ declared }: Collected, { backends }: TenantEntry): boolean {
  return backends.every(({ backend }, index) => backend.methods === declared[index])
}
