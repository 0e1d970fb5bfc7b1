import { type EventStatus, eventStatuses } from './event.ts'
import { parseEventTime } from './event-time.ts'
import { shown } from './shown.ts'

/** The selection of events. An undefined member selects all. */
export interface EventQuery {
  /** 32 hexadecimal digits. */
  readonly trace: string | undefined
  readonly type: string | undefined
  readonly status: EventStatus | undefined
  /** Epoch microseconds: only events at or after this time. */
  readonly since: number | undefined
  /** The maximum number of events; the newest are returned. */
  readonly limit: number
}

/** A query for events, or what is wrong with it. */
export type ReadQuery =
  | { readonly kind: 'query'; readonly query: EventQuery }
  /** What was expected and what was received. */
  | { readonly kind: 'bad'; readonly message: string }

/** The query of a client: the arguments of `get_events`. Other members are ignored. */
export interface EventFilter {
  readonly trace_id?: unknown
  readonly event_type?: unknown
  readonly status?: unknown
  readonly since?: unknown
  readonly limit?: unknown
}

const usualLimit = 100
const mostEvents = 1000

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

type Bad = Extract<ReadQuery, { readonly kind: 'bad' }>

/**
 * Parses a query.
 *
 * @param now epoch microseconds, from which `24h` is counted
 */
export function readEventQuery(asked: EventFilter, now: number): ReadQuery {
  const trace = optional(asked.trace_id, readTrace)
  const type = optional(asked.event_type, readType)
  const status = optional(asked.status, readStatus)
  const since = optional(asked.since, (value) => readSince(value, now))
  const limit = optional(asked.limit, readLimit) ?? usualLimit
  if (isBad(trace)) return trace
  if (isBad(type)) return type
  if (isBad(status)) return status
  if (isBad(since)) return since
  if (isBad(limit)) return limit
  return { kind: 'query', query: { trace, type, status, since, limit } }
}

function bad(name: string, expected: string, got: unknown): Bad {
  return { kind: 'bad', message: `${name}: expected ${expected}, got ${shown(got)}` }
}

function isBad(value: unknown): value is Bad {
  return typeof value === 'object'
}

function optional<Value>(value: unknown, read: (value: unknown) => Value): Value | undefined {
  return value === undefined || value === null ? undefined : read(value)
}

function readTrace(value: unknown): string | Bad {
  const digits = typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : ''
  if (/^[0-9a-f]{32}$/.test(digits)) return digits
  return bad('trace_id', 'a UUID, as events have it', value)
}

function readType(value: unknown): string | Bad {
  return typeof value === 'string' ? value : bad('event_type', 'a type such as "gateway.tool_call"', value)
}

function readStatus(value: unknown): EventStatus | Bad {
  const status = eventStatuses.find((known) => known === value)
  return status ?? bad('status', '"success", "failure" or "pending"', value)
}

function readSince(value: unknown, now: number): number | Bad {
  const text = typeof value === 'string' ? value.trim() : ''
  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (unitMs[unit] as number) * 1000
  return parseEventTime(text) ?? bad('since', 'an ISO 8601 time, or a span such as "24h", "7d", "30m"', value)
}

function readLimit(value: unknown): number | Bad {
  const isLimit = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= mostEvents
  return isLimit ? value : bad('limit', `an integer from 1 to ${mostEvents}`, value)
}
