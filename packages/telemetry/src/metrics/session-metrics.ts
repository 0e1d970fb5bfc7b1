import type { Head } from '@junctor/contracts'
import { counter, durations, each, gauge, one } from './metric-kinds.ts'
import type { NodeGauges } from './node-gauges.ts'
import type { TalliedMetric } from './tallied-metric.ts'
import type { Tallies } from './tallies.ts'

/** One value for each transport, also for transports without a session. */
const noSessions: Readonly<Record<Head['transport'], number>> = { http: 0, stdio: 0, websocket: 0, nats: 0 }

/** The metrics of sessions, their streams and their jobs. */
export function sessionMetrics(tallies: Tallies, gauges: () => NodeGauges): TalliedMetric[] {
  return [
    gauge(
      'mcp_sessions_active',
      'Sessions whose home is this node.',
      each('transport', () => ({ ...noSessions, ...gauges().sessions })),
    ),
    counter('mcp_sessions_closed_total', 'Sessions that ended.', tallies.sessionsClosed, 'reason'),
    durations('mcp_session_duration_seconds', 'How long sessions lasted.', tallies.sessionDurations),
    gauge(
      'mcp_streams_active',
      'Streams of single requests that are open or can still be resumed.',
      one(() => gauges().streams),
    ),
    gauge(
      'mcp_requests_waiting',
      'Requests without a session that wait for answers of their clients.',
      one(() => gauges().waiting),
    ),
    counter('mcp_jobs_total', 'Jobs that ended on this node.', tallies.jobs, 'purpose', 'state'),
    counter(
      'mcp_stream_resumes_total',
      'Clients that reconnected to resume a stream.',
      tallies.streamResumes,
      'result',
    ),
    counter(
      'mcp_stream_overflow_total',
      'Streams that ended because the client read too slowly.',
      tallies.streamOverflows,
    ),
  ]
}
