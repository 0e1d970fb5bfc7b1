import type { FabricReadings } from '@junctor/contracts'
import { each, gauge, one, readCounter } from './metric-kinds.ts'
import type { TalliedMetric } from './tallied-metric.ts'

/**
 * How what the nodes share does, as this node sees it.
 *
 * @param readings at the scrape
 */
export function fabricMetrics(readings: () => FabricReadings): TalliedMetric[] {
  return [
    gauge(
      'junctor_fabric_connected',
      '1 when this node has a connection to NATS, or needs none; 0 while it is lost.',
      one(() => (readings().connected ? 1 : 0)),
    ),
    gauge(
      'junctor_fabric_healthy',
      '1 when other nodes can be reached and things can be stored; 0 when not, and then the node is not ready.',
      one(() => (readings().problem === undefined ? 1 : 0)),
    ),
    readCounter(
      'junctor_fabric_reconnects_total',
      'How often the connection to NATS was lost and came back: servers also cut those that read too slowly.',
      one(() => readings().reconnects),
    ),
    gauge(
      'junctor_fabric_nodes',
      'Nodes that this one sees, itself included.',
      one(() => readings().nodes),
    ),
    gauge(
      'junctor_fabric_calls',
      'Calls under way between this node and others, by who placed them.',
      each('direction', () => ({ placed: readings().placed, served: readings().served })),
    ),
    readCounter(
      'junctor_fabric_storage_failures_total',
      'What could not be stored or read in time, by where: stores hold sessions and jobs, queues what is to be run.',
      each('kind', () => readings().storageFailures),
    ),
    readCounter(
      'junctor_fabric_foreign_total',
      'What was dropped because no key of the cluster sealed it, or because it was heard before, by kind.',
      each('kind', () => readings().foreign),
    ),
    gauge(
      'junctor_fabric_round_trip_seconds',
      'From this node to NATS and back, measured last.',
      one(() => secondsOf(readings().roundTripMs)),
    ),
  ]
}

function secondsOf(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1_000
}
