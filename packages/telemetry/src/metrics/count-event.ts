import type { ErrorOrigin, TelemetryEvent } from '@junctor/contracts'
import { catalogue, methods } from '@junctor/protocol'
import { otherValue } from './bounded-values.ts'
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

/** Counts one event. It runs for every request, so it costs only look-ups and additions. */
export function countEvent(tallies: Tallies, event: TelemetryEvent): void {
  switch (event.kind) {
    case 'request_finished':
      return countRequest(tallies, event)
    case 'request_refused':
      return countError(tallies, event.code, event.origin)
    case 'notification_received':
      tallies.notifications.at(methodValue(event.method)).cell.count += 1
      return
    case 'notification_dropped':
      tallies.notificationsDropped.at(event.reason).cell.count += event.count
      return
    case 'session_closed':
      tallies.sessionsClosed.at(event.reason).cell.count += 1
      tallies.sessionDurations.cell.add(event.durationMs)
      return
    case 'job_ended':
      tallies.jobs.at(event.purpose).at(event.state).cell.count += 1
      return
    case 'stream_resumed':
      tallies.streamResumes.at(event.result).cell.count += 1
      return
    case 'stream_overflowed':
      tallies.streamOverflows.cell.count += 1
      return
    case 'link_opened':
      if (event.again) tallies.backendRestarts.at(event.backend).cell.count += 1
      return
    case 'output_discarded':
      tallies.outputDiscarded.at(event.reason).cell.count += 1
      return
    case 'plugin_failed':
      tallies.pluginFailures.at(event.backend).cell.count += 1
      return
    case 'internal_error':
      tallies.internalErrors.at(event.where).cell.count += 1
      return
    case 'access_refused':
      tallies.authFailures.at(event.reason).cell.count += 1
      return
    case 'issuer_keys_fetched':
      tallies.issuerKeys.at(event.result).cell.count += 1
      return
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
  }
}

function countRequest(tallies: Tallies, event: Extract<TelemetryEvent, { kind: 'request_finished' }>): void {
  const { tenant, transport, tool, outcome, code, durationMs, backendMs } = event
  const method = methodValue(event.method)
  const backend = event.backend ?? noBackend
  const { cell } = tallies.requests.at(tenant).at(method).at(transport).at(backend).at(outcome)
  cell.count += 1
  cell.duration ??= tallies.durations.at(method).at(backend).at(outcome).cell
  cell.duration.add(durationMs)
  tallies.overhead.cell.add(Math.max(0, durationMs - backendMs))
  if (tool !== undefined) tallies.toolCalls.at(backend).at(tallies.tools.of(tool)).at(outcome).cell.count += 1
  if (code !== undefined) countError(tallies, code, event.origin ?? 'gateway')
}

/** Backends may send any integer as a code; codes that the gateway itself does not use are `other`. */
function countError({ errors }: Tallies, code: number, origin: ErrorOrigin): void {
  errors.at(knownCodes.get(code) ?? otherValue).at(origin).cell.count += 1
}
