import type { Config } from '@junctor/config'
import type { Log, Tell } from '@junctor/exchange'
import type { EventLog, Metrics, Readings } from '@junctor/telemetry'
import { createAudit, createEventLog, createLineFile, createMetrics, tellAll } from '@junctor/telemetry'

/** All that hears what happens in a node. */
export interface NodeTelemetry {
  readonly tell: Tell
  readonly events: EventLog
  readonly metrics: Metrics
  /** Another configuration is served: other tenants see events, of other backends. */
  follow(config: Config): void
  /** Writes what is not written. */
  close(): Promise<void>
}

/** @param read how things stand, for gauges; called at scrapes */
export function createNodeTelemetry(config: Config, node: string, read: () => Readings, log: Log): NodeTelemetry {
  const eventFile = config.events.file === undefined ? undefined : createLineFile(config.events.file, { log })
  const auditFile = config.audit.file === undefined ? undefined : createLineFile(config.audit.file, { log })
  const events = createEventLog({
    source: config.server.name,
    keep: config.events.keep,
    tenants: backendsByTenant(config),
    log,
    ...(eventFile && { write: (line: string) => eventFile.write(line) }),
  })
  const metrics = createMetrics({ version: config.server.version, node, read })
  const audit = auditFile && createAudit((line) => auditFile.write(line))
  return {
    tell: tellAll([metrics.take, events.take, ...(audit ? [audit] : [])], log),
    events,
    metrics,
    follow: (next) => events.setTenants(backendsByTenant(next)),
    async close() {
      metrics.close()
      await Promise.all([eventFile?.close(), auditFile?.close()])
    },
  }
}

/** Names of tenants to names of their backends. */
function backendsByTenant({ tenants }: Config): ReadonlyMap<string, readonly string[]> {
  return new Map(tenants.map(({ name, backends }) => [name, backends]))
}
