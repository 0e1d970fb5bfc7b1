import { backendMetrics } from './backend-metrics.ts'
import { counter, gauge, one } from './metric-kinds.ts'
import type { NodeGauges } from './node-gauges.ts'
import { requestMetrics } from './request-metrics.ts'
import { sessionMetrics } from './session-metrics.ts'
import type { TalliedMetric } from './tallied-metric.ts'
import type { Tallies } from './tallies.ts'

/** The name and the version of a node. */
export interface NodeLabels {
  readonly version: string
  readonly node: string
}

/**
 * Returns all metrics of a node except those of its process.
 *
 * @param gauges returns the current state at the scrape
 */
export function nodeMetrics(labels: NodeLabels, tallies: Tallies, gauges: () => NodeGauges): TalliedMetric[] {
  return [
    ...requestMetrics(tallies),
    ...sessionMetrics(tallies, gauges),
    ...backendMetrics(tallies, gauges),
    counter('mcp_auth_failures_total', 'Callers that were refused.', tallies.authFailures, 'reason'),
    counter('mcp_jwks_refresh_total', 'How often the keys of an issuer were read.', tallies.issuerKeys, 'result'),
    counter(
      'junctor_internal_errors_total',
      'Unexpected errors of the gateway itself that were caught.',
      tallies.internalErrors,
      'where',
    ),
    counter(
      'junctor_unreadable_data_total',
      'Data of other nodes, or of the storage that nodes share, that could not be read, by kind.',
      tallies.unreadable,
      'kind',
    ),
    gauge(
      'mcp_config_last_reload_successful',
      '1 when the configuration that was read last was applied, 0 when it was refused.',
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
