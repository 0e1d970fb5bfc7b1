import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { readData, type ReadData } from '@junctor/contracts'
import { z } from 'zod'

/** Every type of event. */
export const eventTypes = [
  'gateway.started',
  'gateway.stopped',
  'gateway.reloaded',
  'gateway.tool_call',
  'gateway.rate_exceeded',
  'gateway.call_retried',
  'gateway.backend_started',
  'gateway.backend_stopped',
  'gateway.backend_failed',
  'session.opened',
  'session.closed',
  'job.submitted',
  'job.started',
  'job.ended',
] as const

/** What an event reports. */
export type EventType = (typeof eventTypes)[number]

/** The states of what an event reports. */
export const eventStatuses = ['success', 'failure', 'pending'] as const

/** `pending`: it has started; another event with the same trace will report its end. */
export type EventStatus = (typeof eventStatuses)[number]

/** An event, as `get_events`, the event file and the admin port show it. Further members belong to its type. */
export type GatewayEvent = JsonObject & {
  /** ISO 8601 with microseconds, in UTC: `2025-10-21T14:32:10.123456+00:00`. */
  readonly timestamp: string
  /** The trace id of its request, as a UUID; else that of the node. */
  readonly trace_id: string
  readonly status: EventStatus
  readonly event_type: EventType
  /** The name of the gateway. */
  readonly source: string
}

const text = z.string()

/** Members that belong to the type are kept. */
const schema: z.ZodType<GatewayEvent> = z
  .object({
    timestamp: text,
    trace_id: text,
    status: z.enum(eventStatuses),
    event_type: z.custom<EventType>((value) => typeof value === 'string', 'expected a text'),
    source: text,
  })
  .catchall(z.custom<JsonValue>())

/** Reads an event of another node. One of another version may have a type that this one does not know. */
export function readGatewayEvent(value: unknown): ReadData<GatewayEvent> {
  return readData(schema, value)
}
