import { randomBytes } from 'node:crypto'
import type { Closer, Fact, Log, Tell } from '@junctor/contracts'
import type { BackendsByTenant } from './backends-by-tenant.ts'
import type { GatewayEvent } from './event.ts'
import type { EventAudience } from './event-audience.ts'
import { type AskedEvents, readEventQuery } from './event-query.ts'
import { type EventRecord, isRecordAskedFor, printRecord } from './event-record.ts'
import { eventShape } from './event-shapes.ts'
import { EventRings } from './event-rings.ts'
import { keptFact } from './kept-fact.ts'
import { createMicroClock } from './micro-clock.ts'

export interface EventLogOptions {
  /** The name of the gateway. */
  readonly source: string
  /** How many events are kept of each tenant; the oldest go first. */
  readonly keep: number
  readonly tenants: BackendsByTenant
  /** Hears of a follower that throws. */
  readonly log: Log
  /** Takes each event as a line of JSON, without its end. Absent: they are kept in memory alone. */
  readonly write?: (line: string) => void
  /** Epoch microseconds. Default: the clock of this machine. */
  readonly now?: () => number
}

export type QueriedEvents =
  /** Oldest first. */
  | { readonly kind: 'events'; readonly events: readonly GatewayEvent[] }
  /** What was expected of the query and what came. */
  | { readonly kind: 'bad'; readonly message: string }

/** What happened in a node, for its tenants and whoever runs it. */
export interface EventLog {
  readonly take: Tell
  /** Whether there is such a tenant. */
  knows(tenant: string): boolean
  /** The newest events that are asked for, of a tenant and no other; `undefined` sees those of all. */
  query(tenant: string | undefined, asked: AskedEvents): QueriedEvents
  /** Hears what happens from now on, as it happens. `tenant` as in `query`. */
  follow(tenant: string | undefined, listener: (event: GatewayEvent) => void): Closer
  /** After a reload. The events of tenants that are gone are forgotten. */
  setTenants(tenants: BackendsByTenant): void
}

/** Keeps the last events of each tenant apart from those of the others, so that nobody sees or displaces another's. */
export function createEventLog(options: EventLogOptions): EventLog {
  const { source, keep, tenants, log, write } = options
  const origin = { source, trace: randomBytes(16).toString('hex') }
  const { timeOrigin } = performance
  const now = options.now ?? createMicroClock({ wall: Date.now, steady: () => timeOrigin + performance.now() })
  const rings = new EventRings(keep, tenants)
  const followers = new Set<Follower>()
  let sequence = 0

  const pass = (record: EventRecord, audience: EventAudience): void => {
    if (write !== undefined) write(JSON.stringify(printRecord(record, origin, undefined)))
    for (const follower of followers) {
      const { tenant, listener } = follower
      if (tenant !== undefined && !rings.isFor(audience, tenant)) continue
      const event = printRecord(record, origin, tenant === undefined ? undefined : rings.backendsOf(tenant))
      try {
        if (event !== undefined) listener(event)
      } catch (error) {
        followers.delete(follower)
        log.error('a follower of events failed and hears no more of them', { error })
      }
    }
  }

  return {
    take(fact: Fact) {
      const shape = eventShape(fact)
      if (shape === undefined) return
      sequence += 1
      const at = now()
      const kept = keptFact(fact)
      const audience = shape.audience(fact)
      rings.push(sequence, at, kept, audience)
      if (write !== undefined || followers.size > 0) pass({ sequence, at, fact: kept }, audience)
    },
    knows: (tenant) => rings.has(tenant),
    query(tenant, asked) {
      const read = readEventQuery(asked, now())
      if (read.kind === 'bad') return read
      const { query } = read
      const records = rings.newest(tenant, query.limit, (record) => isRecordAskedFor(record, query, origin))
      const backends = tenant === undefined ? undefined : rings.backendsOf(tenant)
      return { kind: 'events', events: records.flatMap((record) => printRecord(record, origin, backends) ?? []) }
    },
    follow(tenant, listener) {
      const follower: Follower = { tenant, listener }
      followers.add(follower)
      return {
        async close() {
          followers.delete(follower)
        },
      }
    },
    setTenants: (next) => rings.setTenants(next),
  }
}

interface Follower {
  readonly tenant: string | undefined
  readonly listener: (event: GatewayEvent) => void
}
