import { counter, durations } from './metric-kinds.ts'
import type { TalliedMetric } from './tallied-metric.ts'
import type { Tallies } from './tallies.ts'

/** The metrics of client requests and their outcomes. */
export function requestMetrics(tallies: Tallies): TalliedMetric[] {
  return [
    counter(
      'mcp_requests_total',
      'Requests from clients that were answered or ended; without a backend, the gateway answered itself.',
      tallies.requests,
      'tenant',
      'method',
      'transport',
      'backend',
      'outcome',
    ),
    durations(
      'mcp_request_duration_seconds',
      'How long requests took, from their arrival at the node of their session to their end.',
      tallies.durations,
      'method',
      'backend',
      'outcome',
    ),
    durations(
      'mcp_gateway_overhead_seconds',
      'The part of the duration of requests that their backend did not take.',
      tallies.overhead,
    ),
    counter(
      'mcp_tool_calls_total',
      'Calls of tools that exist, by the public name of the tool.',
      tallies.toolCalls,
      'backend',
      'tool',
      'outcome',
    ),
    counter('mcp_notifications_total', 'Notifications received from clients.', tallies.notifications, 'method'),
    counter(
      'mcp_notifications_dropped_total',
      'Notifications to clients that were not delivered.',
      tallies.notificationsDropped,
      'reason',
    ),
    counter(
      'mcp_rate_limited_total',
      'Requests that were refused because their tenant, caller or tool was over a rate.',
      tallies.rateExceeded,
      'tenant',
      'limit',
    ),
    counter('mcp_errors_total', 'JSON-RPC errors, by code and origin.', tallies.errors, 'code', 'origin'),
  ]
}
