import type { FabricGauges } from '@junctor/contracts'
import { each, gauge, one, readCounter } from './metric-kinds.ts'
import type { TalliedMetric } from './tallied-metric.ts'

/**
 * The metrics of the fabric, as this node sees it.
 *
 * @param gauges called at the scrape
 */
export function fabricMetrics(gauges: () => FabricGauges): TalliedMetric[] {
  return [
    gauge(
      'junctor_fabric_connected',
      '1 when this node has a connection to NATS, or needs none; 0 while it is lost.',
      one(() => (gauges().connected ? 1 : 0)),
    ),
    gauge(
      'junctor_fabric_healthy',
      '1 when other nodes can be reached and things can be stored; 0 when not, and then the node is not ready.',
      one(() => (gauges().problem === undefined ? 1 : 0)),
    ),
    readCounter(
      'junctor_fabric_reconnects_total',
      'How often the connection to NATS was lost and restored: servers also disconnect clients that read too slowly.',
      one(() => gauges().reconnects),
    ),
    gauge(
      'junctor_fabric_nodes',
      'Nodes that this one sees, itself included.',
      one(() => gauges().nodes),
    ),
    gauge(
      'junctor_fabric_calls',
      'Calls in progress between this node and others, by direction.',
      each('direction', () => ({ placed: gauges().placed, served: gauges().served })),
    ),
    readCounter(
      'junctor_fabric_storage_failures_total',
      'Operations that did not store or read in time, by kind: stores hold sessions and jobs, queues hold jobs to run.',
      each('kind', () => gauges().storageFailures),
    ),
    readCounter(
      'junctor_fabric_foreign_total',
      'Messages and stored values that were dropped because no key of the cluster sealed them, or because they were repeated, by kind.',
      each('kind', () => gauges().foreign),
    ),
    gauge(
      'junctor_fabric_round_trip_seconds',
      'Round trip from this node to NATS, as last measured.',
      one(() => secondsOf(gauges().roundTripMs)),
    ),
  ]
}

function secondsOf(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1_000
}
