import type { JsonObject } from '@junctor/jsonrpc'

/** Every kind of event. */
export type EventType =
  | 'gateway.started'
  | 'gateway.stopped'
  | 'gateway.reloaded'
  | 'gateway.tool_call'
  | 'gateway.backend_started'
  | 'gateway.backend_stopped'
  | 'gateway.backend_failed'
  | 'session.opened'
  | 'session.closed'
  | 'job.submitted'
  | 'job.started'
  | 'job.ended'

export const eventStatuses = ['success', 'failure', 'pending'] as const

/** `pending`: it has begun, and another event with the same trace will tell how it ended. */
export type EventStatus = (typeof eventStatuses)[number]

/** What happened, as `get_events`, the event file and the admin port show it. Further members are the event's own. */
export type GatewayEvent = JsonObject & {
  /** ISO 8601 with microseconds, in UTC: `2025-10-21T14:32:10.123456+00:00`. */
  readonly timestamp: string
  /** The trace id of the request that it belongs to, as a UUID; else that of the node's start. */
  readonly trace_id: string
  readonly status: EventStatus
  readonly event_type: EventType
  /** The name of the gateway. */
  readonly source: string
}
