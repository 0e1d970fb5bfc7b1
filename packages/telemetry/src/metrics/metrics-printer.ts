import { Registry } from 'prom-client'
import { collectProcessMetrics } from './process-metrics.ts'
import { register, type TalliedMetric } from './tallied-metric.ts'

/** Prints metrics in the format of Prometheus. */
export interface MetricsPrinter {
  print(): Promise<string>
  /** Stops measuring the process. */
  close(): void
}

/** Creates a printer for these metrics, and starts to measure the process. */
export function createMetricsPrinter(metrics: readonly TalliedMetric[]): MetricsPrinter {
  const registry = new Registry()
  for (const metric of metrics) register(registry, metric)
  return { close: collectProcessMetrics(registry), print: () => registry.metrics() }
}
