import { Registry } from 'prom-client'
import { collectProcessMetrics } from './process-metrics.ts'
import { register, type TalliedMetric } from './tallied-metric.ts'

/** Prints metrics as Prometheus reads them. */
export interface MetricsPrinter {
  print(): Promise<string>
  /** Ends the measuring of the process. */
  close(): void
}

/** Prints these metrics, and what is measured of the process from now on. */
export function createMetricsPrinter(metrics: readonly TalliedMetric[]): MetricsPrinter {
  const registry = new Registry()
  for (const metric of metrics) register(registry, metric)
  return { close: collectProcessMetrics(registry), print: () => registry.metrics() }
}
