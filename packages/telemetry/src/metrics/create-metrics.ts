import type { Tell } from '@junctor/exchange'
import { Registry } from 'prom-client'
import { countFact } from './count-fact.ts'
import { fabricMetrics } from './fabric-metrics.ts'
import { nodeMetrics } from './node-metrics.ts'
import type { NodeLabels } from './node-metrics.ts'
import { collectProcessMetrics } from './process-metrics.ts'
import type { Readings } from './readings.ts'
import { register } from './tallied-metric.ts'
import { createTallies } from './tallies.ts'

export interface MetricsOptions extends NodeLabels {
  /** Read once for each scrape. */
  readonly read: () => Readings
}

/** What a node counts and measures, for Prometheus. */
export interface Metrics {
  /** Counts a fact. */
  readonly take: Tell
  /** Everything in Prometheus' text format. */
  text(): Promise<string>
  /** Of `text`. */
  readonly contentType: string
  /** Ends the measuring of the process. */
  close(): void
}

/** The metrics of one node. Nodes in one process share none, but for those of the process. */
export function createMetrics({ version, node, read }: MetricsOptions): Metrics {
  const registry = new Registry()
  const tallies = createTallies(Date.now())
  let readings: Readings | undefined
  const now = (): Readings => (readings ??= read())
  const metrics = [...nodeMetrics({ version, node }, tallies, now), ...fabricMetrics(() => now().fabric)]
  for (const metric of metrics) register(registry, metric)
  const stop = collectProcessMetrics(registry)
  return {
    take: (fact) => countFact(tallies, fact),
    text() {
      readings = read()
      return registry.metrics()
    },
    contentType: registry.contentType,
    close: stop,
  }
}
