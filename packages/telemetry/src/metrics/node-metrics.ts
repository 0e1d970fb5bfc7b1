import type { Head } from '@junctor/exchange'
import type { DurationTally } from './duration-tally.ts'
import type { LabelTree } from './label-tree.ts'
import type { BackendReading, Readings } from './readings.ts'
import type { Sample, TalliedMetric } from './tallied-metric.ts'
import { countSamples, durationSamples } from './tallied-metric.ts'
import type { Count, Tallies } from './tallies.ts'

/** Which node it is, of what version. */
export interface NodeLabels {
  readonly version: string
  readonly node: string
}

/** One value for each transport, also for those with no session at the moment. */
const noSessions: Readonly<Record<Head['transport'], number>> = { http: 0, stdio: 0, websocket: 0, nats: 0 }

const breakerValues: Readonly<Record<BackendReading['breaker'], number>> = { closed: 0, half_open: 1, open: 2 }

/**
 * All metrics of a node but those of its process.
 *
 * @param readings how things stand at the scrape
 */
export function nodeMetrics(labels: NodeLabels, tallies: Tallies, readings: () => Readings): TalliedMetric[] {
  const byBackend = (value: (backend: BackendReading) => number) => (): Sample[] =>
    readings().backends.map((backend) => ({ labels: { backend: backend.name }, value: value(backend) }))

  return [
    counter(
      'mcp_requests_total',
      'Requests from clients that were answered or ended; without a backend, the gateway answered by itself.',
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
    counter('mcp_errors_total', 'JSON-RPC errors, by whose fault they are.', tallies.errors, 'code', 'origin'),
    gauge('mcp_sessions_active', 'Sessions that are at home on this node.', () =>
      Object.entries({ ...noSessions, ...readings().sessions }).map(([transport, value]) => ({
        labels: { transport },
        value,
      })),
    ),
    counter('mcp_sessions_closed_total', 'Sessions that ended.', tallies.sessionsClosed, 'reason'),
    durations('mcp_session_duration_seconds', 'How long sessions lasted.', tallies.sessionDurations),
    gauge(
      'mcp_streams_active',
      'Streams that are open or can still be resumed.',
      one(() => readings().streams),
    ),
    counter('mcp_jobs_total', 'Jobs that ended on this node.', tallies.jobs, 'purpose', 'state'),
    counter(
      'mcp_stream_resumes_total',
      'Clients that came back for the rest of a stream.',
      tallies.streamResumes,
      'result',
    ),
    counter(
      'mcp_stream_overflow_total',
      'Streams that ended because the client read too slowly.',
      tallies.streamOverflows,
    ),
    gauge(
      'mcp_backend_links',
      'Open connections to a backend, or processes of it.',
      byBackend(({ links }) => links),
    ),
    gauge(
      'mcp_inflight_requests',
      'Requests that a backend is working on.',
      byBackend(({ inFlight }) => inFlight),
    ),
    gauge(
      'mcp_queue_depth',
      'Sessions, or tenants, that wait for a link to a backend because all are taken.',
      byBackend(({ queued }) => queued),
    ),
    gauge(
      'mcp_backend_up',
      '1 when a backend can be reached, 0 when not, or not asked yet.',
      byBackend(({ state }) => (state === 'up' ? 1 : 0)),
    ),
    {
      ...counter(
        'mcp_backend_restarts_total',
        'Links to a backend that followed one that broke.',
        tallies.backendRestarts,
      ),
      samples: () => countSamples(withAll(tallies.backendRestarts, readings()), ['backend']),
    },
    gauge(
      'mcp_backend_breaker_state',
      '0 when calls go to a backend, 2 when they fail at once because earlier ones timed out, 1 when one call tries.',
      byBackend(({ breaker }) => breakerValues[breaker]),
    ),
    counter(
      'mcp_backend_stdout_discarded_total',
      'What backends sent that could not be used.',
      tallies.outputDiscarded,
      'reason',
    ),
    counter('mcp_auth_failures_total', 'Callers that were not let in.', tallies.authFailures, 'reason'),
    counter('mcp_jwks_refresh_total', 'How often the keys of an issuer were read.', tallies.issuerKeys, 'result'),
    {
      ...counter(
        'mcp_plugin_failures_total',
        'How often code of a plugin threw where it must not.',
        tallies.pluginFailures,
      ),
      samples: () => countSamples(withAll(tallies.pluginFailures, readings()), ['backend']),
    },
    counter(
      'junctor_internal_errors_total',
      'Errors of the gateway itself that were caught where none may come up.',
      tallies.internalErrors,
      'where',
    ),
    gauge(
      'mcp_config_last_reload_successful',
      '1 when the configuration that was read last was taken over, 0 when it was refused.',
      one(() => (tallies.reload.successful ? 1 : 0)),
    ),
    gauge(
      'mcp_config_last_reload_timestamp_seconds',
      'When the configuration was read last.',
      one(() => tallies.reload.at / 1_000),
    ),
    gauge('mcp_build_info', 'Which node this is; always 1.', () => [{ labels: { ...labels }, value: 1 }]),
  ]
}

/** A backend of which nothing was counted yet has a 0 to rise from. */
function withAll(tree: LabelTree<Count>, { backends }: Readings): LabelTree<Count> {
  for (const { name } of backends) void tree.at(name).cell
  return tree
}

function counter(name: string, help: string, tree: LabelTree<Count>, ...labels: string[]): TalliedMetric {
  return { name, help, type: 'counter', samples: () => countSamples(tree, labels) }
}

function durations(name: string, help: string, tree: LabelTree<DurationTally>, ...labels: string[]): TalliedMetric {
  return { name, help, type: 'histogram', samples: () => durationSamples(name, tree, labels) }
}

function gauge(name: string, help: string, samples: () => readonly Sample[]): TalliedMetric {
  return { name, help, type: 'gauge', samples }
}

function one(value: () => number): () => Sample[] {
  return () => [{ labels: {}, value: value() }]
}
