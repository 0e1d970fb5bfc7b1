export { createMetrics, type Metrics, type MetricsOptions } from './metrics/create-metrics.ts'
export type { BackendReading, Readings } from './metrics/readings.ts'
export { tellAll } from './tell-all.ts'
