export { type Admin, type AdminOptions, createAdmin, type Readiness } from './admin/create-admin.ts'
export { createAudit } from './audit/create-audit.ts'
export {
  type BackendsByTenant,
  createEventLog,
  type EventLog,
  type EventLogOptions,
  type QueriedEvents,
} from './events/create-event-log.ts'
export type { EventStatus, EventType, GatewayEvent } from './events/event.ts'
export type { AskedEvents } from './events/event-query.ts'
export { createLineFile, type LineFile, type LineFileOptions } from './files/line-file.ts'
export { createLog, type LogLevel, logLevels, type LogOptions, type LogOutput } from './log/create-log.ts'
export { createMetrics, type Metrics, type MetricsOptions } from './metrics/create-metrics.ts'
export type { BackendReading, Readings } from './metrics/readings.ts'
export { tellAll } from './tell-all.ts'
