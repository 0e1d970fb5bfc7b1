import type { Config } from '@junctor/config'
import type { Emit } from '@junctor/contracts'
import type { NodeRedaction } from './node-redaction.ts'
import {
  createAudit,
  createEventLog,
  createLineFile,
  createMetrics,
  emitToAll,
  type EventLog,
  type FileGauges,
  type LineFile,
  type Metrics,
  type NodeGauges,
} from '@junctor/telemetry'
import { release } from '../release.ts'

/** All components that receive the events of a node. */
export interface NodeTelemetry {
  readonly emit: Emit
  readonly events: EventLog
  readonly metrics: Metrics
  /** Returns the state of the files that it writes. */
  files(): readonly FileGauges[]
  /** Applies another configuration: its tenants may see events of its backends. */
  follow(config: Config): void
  /** Writes all pending lines. */
  close(): Promise<void>
}

/** @param read returns the current values of gauges; called at scrapes */
export function createNodeTelemetry(
  config: Config,
  node: string,
  read: () => NodeGauges,
  redaction: NodeRedaction,
): NodeTelemetry {
  const { log } = redaction
  const eventFile =
    config.events.file === undefined
      ? undefined
      : createLineFile(config.events.file, { log, mostBytes: config.events.rotateAt })
  const auditFile =
    config.audit.file === undefined
      ? undefined
      : createLineFile(config.audit.file, { log, mostBytes: config.audit.rotateAt })
  const events = createEventLog({
    source: config.server.name,
    keep: config.events.keep,
    tenants: backendsByTenant(config),
    log,
    ...(eventFile && { write: (line: string) => eventFile.write(line) }),
  })
  const files = (): readonly FileGauges[] => [
    ...(auditFile === undefined ? [] : [gaugesOf('audit', config.audit.file, auditFile)]),
    ...(eventFile === undefined ? [] : [gaugesOf('events', config.events.file, eventFile)]),
  ]
  const metrics = createMetrics({ version: release, node, read: () => ({ ...read(), files: files() }) })
  const audit = auditFile && createAudit((line) => auditFile.write(line))
  const emit = emitToAll([metrics.take, events.take, ...(audit ? [audit] : [])], log)
  return {
    // The message of a failed link is the only foreign text in an event.
    emit: (event) => emit(event.kind === 'link_failed' ? { ...event, message: redaction.text(event.message) } : event),
    events,
    metrics,
    files,
    follow: (next) => events.setTenants(backendsByTenant(next)),
    async close() {
      metrics.close()
      await Promise.all([eventFile?.close(), auditFile?.close()])
    },
  }
}

function gaugesOf(name: FileGauges['name'], file = '', { problem, lost }: LineFile): FileGauges {
  return { name, file, problem, lost }
}

/** Returns the names of each tenant's backends. */
function backendsByTenant({ tenants }: Config): ReadonlyMap<string, readonly string[]> {
  return new Map(tenants.map(({ name, backends }) => [name, backends]))
}
