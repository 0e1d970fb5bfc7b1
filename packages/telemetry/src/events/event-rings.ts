import type { EventAudience } from './event-audience.ts'
import type { BackendsByTenant } from './backends-by-tenant.ts'
import type { EventRecord } from './event-record.ts'
import { EventRing } from './event-ring.ts'
import type { KeptEvent } from './kept-event.ts'

/** The events of one tenant. */
interface TenantEvents {
  readonly ring: EventRing
  readonly backends: ReadonlySet<string>
}

const noBackends: ReadonlySet<string> = new Set()

/** The last events: those of each tenant in a ring of its own, and those of the whole node in one more ring. */
export class EventRings {
  readonly #keep: number
  readonly #everybody: EventRing
  #tenants: ReadonlyMap<string, TenantEvents> = new Map()

  /** @param keep the maximum number of events in each ring */
  constructor(keep: number, tenants: BackendsByTenant) {
    this.#keep = keep
    this.#everybody = new EventRing(this.#keep)
    this.setTenants(tenants)
  }

  /** Remaining tenants keep their events; those of removed tenants are deleted. */
  setTenants(tenants: BackendsByTenant): void {
    const ringOf = (name: string): EventRing => this.#tenants.get(name)?.ring ?? new EventRing(this.#keep)
    this.#tenants = new Map(
      Array.from(tenants, ([name, backends]) => [name, { ring: ringOf(name), backends: new Set(backends) }]),
    )
  }

  has(tenant: string): boolean {
    return this.#tenants.has(tenant)
  }

  backendsOf(tenant: string): ReadonlySet<string> {
    return this.#tenants.get(tenant)?.backends ?? noBackends
  }

  push(sequence: number, at: number, event: KeptEvent, audience: EventAudience): void {
    switch (audience.kind) {
      case 'everybody':
        this.#everybody.push(sequence, at, event)
        return
      case 'tenant':
        this.#tenants.get(audience.tenant)?.ring.push(sequence, at, event)
        return
      case 'backend':
        // Added for the tenants that have the backend now: a tenant that gets it later does not see earlier events.
        for (const { ring, backends } of this.#tenants.values()) {
          if (backends.has(audience.backend)) ring.push(sequence, at, event)
        }
    }
  }

  /** Whether a tenant belongs to an audience. */
  isFor(audience: EventAudience, tenant: string): boolean {
    if (audience.kind === 'everybody') return this.has(tenant)
    if (audience.kind === 'backend') return this.backendsOf(tenant).has(audience.backend)
    return audience.tenant === tenant && this.has(tenant)
  }

  /**
   * Returns the newest events that pass a test, at most `limit`, oldest first: those that a tenant may see, or all when
   * it is undefined.
   */
  newest(tenant: string | undefined, limit: number, test: (record: EventRecord) => boolean): EventRecord[] {
    // An event in several rings is returned once.
    const found = new Map<number, EventRecord>()
    for (const ring of this.#ringsOf(tenant)) {
      let left = limit
      for (const record of ring.newestFirst()) {
        if (!test(record)) continue
        found.set(record.sequence, record)
        left -= 1
        if (left === 0) break
      }
    }
    return [...found.values()].toSorted((one, other) => one.sequence - other.sequence).slice(-limit)
  }

  #ringsOf(tenant: string | undefined): readonly EventRing[] {
    if (tenant === undefined) return [this.#everybody, ...Array.from(this.#tenants.values(), ({ ring }) => ring)]
    const own = this.#tenants.get(tenant)
    return own === undefined ? [] : [this.#everybody, own.ring]
  }
}
