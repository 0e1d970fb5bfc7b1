import { randomBytes } from 'node:crypto'
import type { Closer, TelemetryEvent, Log, Emit } from '@junctor/contracts'
import type { BackendsByTenant } from './backends-by-tenant.ts'
import type { GatewayEvent } from './event.ts'
import type { EventAudience } from './event-audience.ts'
import { type EventFilter, type EventQuery, readEventQuery } from './event-query.ts'
import { type EventRecord, recordMatchesQuery, printRecord } from './event-record.ts'
import { eventShape } from './event-shapes.ts'
import { EventRings } from './event-rings.ts'
import { keptEventOf } from './kept-event-of.ts'
import { createMicroClock } from './micro-clock.ts'

/** How events are kept. */
export interface EventLogOptions {
  /** The name of the gateway. */
  readonly source: string
  /** The number of events kept for each tenant; the oldest are removed first. */
  readonly keep: number
  readonly tenants: BackendsByTenant
  /** Receives the failure of a follower that throws. */
  readonly log: Log
  /** Receives each event as a line of JSON, without its end. Absent: events are only in memory. */
  readonly write?: (line: string) => void
  /** Returns epoch microseconds. Default: the clock of this machine. */
  readonly now?: () => number
}

/** The answer to a query of the event log. */
export type QueriedEvents =
  /** Oldest first. */
  | { readonly kind: 'events'; readonly events: readonly GatewayEvent[] }
  /** What was expected of the query and what was received. */
  | { readonly kind: 'bad'; readonly message: string }

/** The answer to a query whose later events are followed. `following` ends that. */
type FollowedEvents =
  | (Extract<QueriedEvents, { readonly kind: 'events' }> & { readonly following: Closer })
  | Extract<QueriedEvents, { readonly kind: 'bad' }>

/** The history of a node, for its tenants and for the operator. */
export interface EventLog {
  readonly take: Emit
  /** Whether there is such a tenant. */
  knows(tenant: string): boolean
  /** Returns the newest matching events of one tenant; with `undefined`, of all tenants. */
  query(tenant: string | undefined, asked: EventFilter): QueriedEvents
  /** Queries, and from then on calls the listener with each matching event, immediately. None is missing between. */
  follow(tenant: string | undefined, asked: EventFilter, listener: (event: GatewayEvent) => void): FollowedEvents
  /** Applies a reload. Events of removed tenants are deleted. */
  setTenants(tenants: BackendsByTenant): void
}

/**
 * Creates an event log that keeps the last events of each tenant separately, so that no tenant sees or displaces the
 * events of another.
 */
export function createEventLog(options: EventLogOptions): EventLog {
  const { source, keep, tenants, log, write } = options
  const origin = { source, trace: randomBytes(16).toString('hex') }
  const now = options.now ?? createMicroClock({ wall: Date.now, steady: performance })
  const rings = new EventRings(keep, tenants)
  const followers = new Set<Follower>()
  let sequence = 0

  const pass = (record: EventRecord, audience: EventAudience): void => {
    if (write !== undefined) write(JSON.stringify(printRecord(record, origin, undefined)))
    for (const follower of followers) {
      const { tenant, query, listener } = follower
      if (tenant !== undefined && !rings.isFor(audience, tenant)) continue
      if (!recordMatchesQuery(record, query, origin)) continue
      const event = printRecord(record, origin, tenant === undefined ? undefined : rings.backendsOf(tenant))
      try {
        if (event !== undefined) listener(event)
      } catch (error) {
        followers.delete(follower)
        log.error('a follower of events failed and was removed', { error })
      }
    }
  }

  const matching = (tenant: string | undefined, query: EventQuery): readonly GatewayEvent[] => {
    const records = rings.newest(tenant, query.limit, (record) => recordMatchesQuery(record, query, origin))
    const backends = tenant === undefined ? undefined : rings.backendsOf(tenant)
    return records.flatMap((record) => printRecord(record, origin, backends) ?? [])
  }

  return {
    take(event: TelemetryEvent) {
      const shape = eventShape(event)
      if (shape === undefined) return
      sequence += 1
      const at = now()
      const kept = keptEventOf(event)
      const audience = shape.audience(event)
      rings.push(sequence, at, kept, audience)
      if (write !== undefined || followers.size > 0) pass({ sequence, at, event: kept }, audience)
    },
    knows: (tenant) => rings.has(tenant),
    query(tenant, asked) {
      const read = readEventQuery(asked, now())
      return read.kind === 'bad' ? read : { kind: 'events', events: matching(tenant, read.query) }
    },
    follow(tenant, asked, listener) {
      const read = readEventQuery(asked, now())
      if (read.kind === 'bad') return read
      const { query } = read
      const follower: Follower = { tenant, query, listener }
      followers.add(follower)
      const close = async (): Promise<void> => void followers.delete(follower)
      return { kind: 'events', events: matching(tenant, query), following: { close } }
    },
    setTenants: (next) => rings.setTenants(next),
  }
}

interface Follower {
  readonly tenant: string | undefined
  readonly query: EventQuery
  readonly listener: (event: GatewayEvent) => void
}
