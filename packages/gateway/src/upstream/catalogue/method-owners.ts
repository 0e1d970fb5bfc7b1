import type { Log } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { PlainMethods } from './plain-methods.ts'
import { plainMethods } from './plain-methods.ts'
import { reportCollisions } from './report-collisions.ts'

/** The backends of the methods outside MCP, computed once for each tenant. */
export class MethodOwners {
  readonly #log: Log
  readonly #methods = new WeakMap<TenantEntry, PlainMethods>()

  constructor(log: Log) {
    this.#log = log
  }

  /** The backend of a method. Backends declare their methods without a link, so this never waits. */
  of(tenant: TenantEntry, method: string): BackendEntry | undefined {
    let methods = this.#methods.get(tenant)
    if (methods === undefined) {
      methods = plainMethods(tenant)
      reportCollisions(this.#log, methods.collisions)
      this.#methods.set(tenant, methods)
    }
    return methods.owners.get(method)
  }
}
