import type { ErrorOrigin, TelemetryEvent } from '@junctor/contracts'
import { catalogue, methods } from '@junctor/protocol'
import { otherValue } from './bounded-values.ts'
import type { LabelTree } from './label-tree.ts'
import type { Count } from './count.ts'
import type { Tallies } from './tallies.ts'

const knownMethods: ReadonlySet<string> = new Set(Object.values(methods))

/** Every code that the gateway itself sends, as text. */
const knownCodes: ReadonlyMap<number, string> = new Map(
  Object.values(catalogue)
    .flatMap(({ codes }) => Object.values(codes))
    .map((code) => [code, String(code)]),
)

/** The backend label of requests that the gateway answered itself. Prometheus treats an empty label as absent. */
const noBackend = ''

/** Methods of MCP are unchanged; any other text of a client is `other`. */
function methodValue(method: string): string {
  return knownMethods.has(method) ? method : otherValue
}

function increase(counts: LabelTree<Count>, ...labels: readonly string[]): void {
  counts.at(...labels).count += 1
}

/** Counts one event. It runs for every request, so it costs only look-ups and additions. */
export function countEvent(tallies: Tallies, event: TelemetryEvent): void {
  switch (event.kind) {
    case 'request_finished':
      return countRequest(tallies, event)
    case 'request_refused':
      return countError(tallies, event.code, event.origin)
    case 'rate_exceeded':
      return increase(tallies.rateExceeded, event.tenant, event.scope)
    case 'notification_received':
      return increase(tallies.notifications, methodValue(event.method))
    case 'notification_dropped':
      tallies.notificationsDropped.at(event.reason).count += event.count
      return
    case 'session_closed':
      increase(tallies.sessionsClosed, event.reason)
      tallies.sessionDurations.at().add(event.durationMs)
      return
    case 'job_ended':
      return increase(tallies.jobs, event.purpose, event.state)
    case 'stream_resumed':
      return increase(tallies.streamResumes, event.result)
    case 'stream_overflowed':
      return increase(tallies.streamOverflows)
    case 'call_retried':
      return increase(tallies.callRetries, event.backend, event.result)
    case 'link_opened':
      return event.again ? increase(tallies.backendRestarts, event.backend) : undefined
    case 'output_discarded':
      return increase(tallies.outputDiscarded, event.reason)
    case 'plugin_failed':
      return increase(tallies.pluginFailures, event.backend)
    case 'plugin_counted':
      return tallies.pluginCounts.add(event)
    case 'internal_error':
      return increase(tallies.internalErrors, event.where)
    case 'data_unreadable':
      return increase(tallies.unreadable, event.data)
    case 'access_refused':
      return increase(tallies.authFailures, event.reason)
    case 'issuer_keys_fetched':
      return increase(tallies.issuerKeys, event.result)
    case 'config_reloaded':
      tallies.reload.successful = event.result === 'success'
      tallies.reload.at = Date.now()
      return
    // Another event reports their end, or the scrape reads their state.
    case 'tool_call_started':
    case 'job_submitted':
    case 'job_started':
    case 'session_opened':
    case 'link_closed':
    case 'link_failed':
    case 'backend_state':
    case 'breaker_changed':
    case 'node_started':
    case 'node_stopped':
    case 'backend_managed':
  }
}

function countRequest(tallies: Tallies, event: Extract<TelemetryEvent, { kind: 'request_finished' }>): void {
  const { tenant, transport, tool, outcome, code, durationMs, backendMs } = event
  const method = methodValue(event.method)
  const backend = event.backend ?? noBackend
  const cell = tallies.requests.at(tenant, method, transport, backend, outcome)
  cell.count += 1
  cell.duration ??= tallies.durations.at(method, backend, outcome)
  cell.duration.add(durationMs)
  tallies.overhead.at().add(Math.max(0, durationMs - backendMs))
  if (tool !== undefined) increase(tallies.toolCalls, backend, tallies.tools.of(tool), outcome)
  if (code !== undefined) countError(tallies, code, event.origin ?? 'gateway')
}

/** Backends may send any integer as a code; codes that the gateway itself does not use are `other`. */
function countError({ errors }: Tallies, code: number, origin: ErrorOrigin): void {
  increase(errors, knownCodes.get(code) ?? otherValue, origin)
}
