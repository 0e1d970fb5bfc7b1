import type { FabricReadings } from '@junctor/exchange'
import type { Sample, TalliedMetric } from './tallied-metric.ts'

/**
 * How what the nodes share does, as this node sees it.
 *
 * @param readings at the scrape
 */
export function fabricMetrics(readings: () => FabricReadings): TalliedMetric[] {
  const one = (value: (fabric: FabricReadings) => number | undefined) => (): Sample[] => {
    const read = value(readings())
    return read === undefined ? [] : [{ labels: {}, value: read }]
  }
  return [
    {
      name: 'junctor_fabric_connected',
      help: '1 when this node has a connection to NATS, or needs none; 0 while it is lost.',
      type: 'gauge',
      samples: one(({ connected }) => (connected ? 1 : 0)),
    },
    {
      name: 'junctor_fabric_healthy',
      help: '1 when other nodes can be reached and things can be stored; 0 when not, and then the node is not ready.',
      type: 'gauge',
      samples: one(({ problem }) => (problem === undefined ? 1 : 0)),
    },
    {
      name: 'junctor_fabric_reconnects_total',
      help: 'How often the connection to NATS was lost and came back: servers also cut those that read too slowly.',
      type: 'counter',
      samples: one(({ reconnects }) => reconnects),
    },
    {
      name: 'junctor_fabric_nodes',
      help: 'Nodes that this one sees, itself included.',
      type: 'gauge',
      samples: one(({ nodes }) => nodes),
    },
    {
      name: 'junctor_fabric_calls',
      help: 'Calls under way between this node and others, by who placed them.',
      type: 'gauge',
      samples: () => {
        const { placed, served } = readings()
        return [
          { labels: { direction: 'placed' }, value: placed },
          { labels: { direction: 'served' }, value: served },
        ]
      },
    },
    {
      name: 'junctor_fabric_storage_failures_total',
      help: 'What could not be stored or read in time, by where: stores hold sessions and jobs, queues what is to be run.',
      type: 'counter',
      samples: () => Object.entries(readings().storageFailures).map(([kind, value]) => ({ labels: { kind }, value })),
    },
    {
      name: 'junctor_fabric_foreign_total',
      help: 'What was dropped because no key of the cluster sealed it, or because it was heard before, by kind.',
      type: 'counter',
      samples: () => Object.entries(readings().foreign).map(([kind, value]) => ({ labels: { kind }, value })),
    },
    {
      name: 'junctor_fabric_round_trip_seconds',
      help: 'From this node to NATS and back, measured last.',
      type: 'gauge',
      samples: one(({ roundTripMs }) => (roundTripMs === undefined ? undefined : roundTripMs / 1_000)),
    },
  ]
}
