import { backendMetrics } from './backend-metrics.ts'
import { counter, gauge, one } from './metric-kinds.ts'
import type { Readings } from './readings.ts'
import { requestMetrics } from './request-metrics.ts'
import { sessionMetrics } from './session-metrics.ts'
import type { TalliedMetric } from './tallied-metric.ts'
import type { Tallies } from './tallies.ts'

/** Which node it is, of what version. */
export interface NodeLabels {
  readonly version: string
  readonly node: string
}

/**
 * All metrics of a node but those of its process.
 *
 * @param readings how things stand at the scrape
 */
export function nodeMetrics(labels: NodeLabels, tallies: Tallies, readings: () => Readings): TalliedMetric[] {
  return [
    ...requestMetrics(tallies),
    ...sessionMetrics(tallies, readings),
    ...backendMetrics(tallies, readings),
    counter('mcp_auth_failures_total', 'Callers that were not let in.', tallies.authFailures, 'reason'),
    counter('mcp_jwks_refresh_total', 'How often the keys of an issuer were read.', tallies.issuerKeys, 'result'),
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
