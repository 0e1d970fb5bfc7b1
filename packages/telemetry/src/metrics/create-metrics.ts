import type { Emit } from '@junctor/contracts'
import { countEvent } from './count-event.ts'
import { fileMetrics } from './file-metrics.ts'
import { fabricMetrics } from './fabric-metrics.ts'
import type { MetricsPrinter } from './metrics-printer.ts'
import { type NodeLabels, nodeMetrics } from './node-metrics.ts'
import type { NodeGauges } from './node-gauges.ts'
import { createTallies } from './tallies.ts'

/** What metrics are made of. */
export interface MetricsOptions extends NodeLabels {
  /** Called once for each scrape. */
  readonly read: () => NodeGauges
}

/** The counts and measurements of a node, for Prometheus. */
export interface Metrics {
  /** Counts an event. */
  readonly take: Emit
  /** Returns all metrics in Prometheus' text format. */
  text(): Promise<string>
  /** The content type of `text`. */
  readonly contentType: string
  /** Stops measuring the process. */
  close(): void
}

/**
 * Creates the metrics of one node. Nodes in one process share only the metrics of the process. The printer and the
 * measurement of the process start with the first scrape: a node that is not scraped starts faster without them.
 */
export function createMetrics({ version, node, read }: MetricsOptions): Metrics {
  const tallies = createTallies(Date.now())
  let gauges: NodeGauges | undefined
  let printer: Promise<MetricsPrinter> | undefined
  const now = (): NodeGauges => (gauges ??= read())
  const begin = async (): Promise<MetricsPrinter> => {
    const { createMetricsPrinter } = await import('./metrics-printer.ts')
    return createMetricsPrinter([
      ...nodeMetrics({ version, node }, tallies, now),
      ...fabricMetrics(() => now().fabric),
      ...fileMetrics(() => now().files ?? []),
    ])
  }
  return {
    take: countEvent.bind(undefined, tallies),
    async text() {
      const printing = await (printer ??= begin())
      gauges = read()
      return printing.print()
    },
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    close: () => void printer?.then((printing) => printing.close()),
  }
}
