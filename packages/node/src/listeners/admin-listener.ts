import type { AdminListenConfig } from '@junctor/config'
import type { Fabric, Log } from '@junctor/contracts'
import { type AdminBackends, createAdmin, type Readiness } from '@junctor/telemetry'
import type { Address } from './address.ts'
import { openOnce } from '../open-once.ts'
import type { AskEvents } from '../cluster/node-events.ts'
import type { NodeStatus } from '../telemetry/node-status.ts'
import type { NodeTelemetry } from '../telemetry/node-telemetry.ts'

/** The admin listener of a node, if its configuration has one. */
export interface AdminListener {
  /** Starts to listen, unless it does. Rejects with `LISTEN_FAILED`. */
  listen(): Promise<Address | undefined>
  /** Sets the answer to readiness probes. The first answer is that the node is starting. */
  become(readiness: Readiness): void
  close(): Promise<void>
}

/** Where the port listens, and what it shows. Without `listen` there is no port. */
export interface AdminListenerParts {
  readonly listen: AdminListenConfig | undefined
  readonly fabric: Pick<Fabric, 'gauges'>
  readonly telemetry: Pick<NodeTelemetry, 'events' | 'metrics'>
  readonly status: () => Promise<NodeStatus>
  readonly allEvents: AskEvents
  /** Adds, changes and removes backends. Absent: the port does not. */
  readonly backends?: AdminBackends
  readonly log: Log
}

/** Creates the admin port of a node. */
export function createAdminListener({
  listen,
  fabric,
  telemetry,
  status,
  allEvents,
  backends,
  log,
}: AdminListenerParts): AdminListener {
  const { events, metrics } = telemetry
  let readiness: Readiness = { ready: false, reason: 'starting' }
  // Without the other nodes or without storage, a node cannot open sessions or keep jobs, so clients must use other
  // nodes.
  const ready = (): Readiness => {
    const { problem, hasWrongKey } = fabric.gauges()
    if (!readiness.ready || problem === undefined) return readiness
    return { ready: false, reason: hasWrongKey ? 'wrong_cluster_key' : 'fabric_unavailable' }
  }
  const admin =
    listen && createAdmin({ listen, ready, status, events, allEvents, metrics, log, ...(backends && { backends }) })
  return {
    listen: openOnce(async () => admin?.listen()),
    become(next) {
      readiness = next
    },
    close: async () => admin?.close(),
  }
}
