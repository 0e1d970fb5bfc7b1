import {
  createErrorReporter,
  createUnreadableReporter,
  type Emit,
  emitNothing,
  type ErrorReporter,
  type Fabric,
  type UnreadableReporter,
} from '@junctor/contracts'
import type { Gateway } from '@junctor/gateway'
import { createGuard } from '@junctor/transport-stdio/back'
import type { Plugin } from '@junctor/plugin-sdk'
import type { AddedBackends } from './added-backends/added-backends.ts'
import { openAdded } from './added-backends/open-added.ts'
import { type AdminListener, createAdminListener } from './listeners/admin-listener.ts'
import { type PluginErrors, createPluginErrors } from './telemetry/plugin-errors.ts'
import { type BackendSet, createBackendSet } from './backends/backend-set.ts'
import { type AskEvents, queryAllNodes } from './cluster/node-events.ts'
import { createKnownNodes, type KnownNodes } from './cluster/known-nodes.ts'
import { createPendingShutdowns, type PendingShutdowns } from './reload/pending-shutdowns.ts'
import { nodeStatus, type NodeStatus } from './telemetry/node-status.ts'
import type { NodeRedaction } from './telemetry/node-redaction.ts'
import { createNodeTelemetry, type NodeTelemetry } from './telemetry/node-telemetry.ts'
import { type Bus, type OpenedFabric, openFabric, unchanging } from './open-fabric.ts'
import type { Reloads } from './reload/reload.ts'
import type { NodeConfig } from './node-config.ts'

/** The current state of a node, for gauges and for the operator. */
interface RunningNode {
  /** The current configuration. */
  readonly config: NodeConfig
  readonly gateway: Pick<Gateway, 'status' | 'gauges'>
  readonly reloads: Reloads
  /** Why backends that are not in the file could not be created, by name. Absent: there can be none. */
  readonly failures?: BackendSet['failures']
}

/** The kind of node, its first configuration, and what replaces parts of it. */
export interface NodePartsOptions {
  readonly node: 'gateway' | 'worker'
  /** The configuration at the start. */
  readonly config: NodeConfig
  /** The plugins of which backends can be added while the node runs. Absent: none can, and none are read. */
  readonly plugins?: readonly Plugin[] | undefined
  /** Replaces the fabric of the configuration. It is closed with the node. */
  readonly fabric: Fabric | undefined
  /** Returns the current state. Called at scrapes and for the status, not before the admin port is open. */
  readonly running: () => RunningNode
  readonly redaction: NodeRedaction
}

/** The parts that every kind of node has. */
export interface NodeParts {
  readonly fabric: Fabric
  /** Absent: the fabric has no bus. */
  readonly bus: Bus | undefined
  /** See `OpenedFabric`. */
  readonly renew: OpenedFabric['renew']
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly telemetry: NodeTelemetry
  readonly nodes: KnownNodes
  readonly allEvents: AskEvents
  /** Not open yet. */
  readonly admin: AdminListener
  readonly endings: PendingShutdowns
  readonly blame: PluginErrors
  /** Called with errors that the node's loops and timers have caught. */
  readonly reportError: ErrorReporter
  /** Called with data of other nodes that this version cannot read. */
  readonly unreadable: UnreadableReporter
  /** Initially empty. */
  readonly backends: BackendSet
  /** Backends that are in no file. Not read yet. */
  readonly added: AddedBackends
}

/**
 * Opens the parts. Rejects like `openFabric`.
 *
 * @param opened receives the closers, to be called in reverse order
 */
export async function openNodeParts(
  opened: AsyncDisposableStack,
  { node, config, plugins, fabric: given, running, redaction }: NodePartsOptions,
): Promise<NodeParts> {
  const { log } = redaction
  // The fabric exists before the listeners of events: errors that it catches until then are only logged.
  let emit: Emit = emitNothing
  const reportError = createErrorReporter(log, (event) => emit(event))
  const unreadable = createUnreadableReporter(log, (event) => emit(event))
  const shared: OpenedFabric =
    given === undefined
      ? await openFabric(config.fabric, { log, reportError, unreadable })
      : { ...unchanging, fabric: given, close: () => given.close() }
  opened.defer(() => shared.close())
  const { fabric, bus } = shared
  const startedAt = Date.now()
  // Created before the parts that it reads, because they all report events to it.
  const telemetry = createNodeTelemetry(
    config,
    fabric.node,
    () => ({ ...running().gateway.gauges(), fabric: fabric.gauges() }),
    redaction,
  )
  opened.defer(() => telemetry.close())
  emit = telemetry.emit
  opened.defer(() => telemetry.emit({ kind: 'node_stopped', node: fabric.node }))
  const nodes = createKnownNodes(fabric, reportError, unreadable)
  opened.defer(() => nodes.close())
  const allEvents: AskEvents = (tenant, asked) =>
    queryAllNodes({ fabric, events: telemetry.events, nodes, log, unreadable }, tenant, asked)
  const status = () => statusOf({ running, fabric, telemetry, nodes, startedAt, redaction })
  const { added, manage } = openAdded({
    plugins,
    fabric,
    reloads: () => running().reloads,
    failures: () => running().failures ?? new Map(),
    redaction,
    telemetry,
    reportError,
    unreadable,
  })
  const listening = { listen: config.listen.admin, fabric, telemetry, status, allEvents, log }
  const admin = createAdminListener({ ...listening, ...(manage !== undefined && { backends: manage }) })
  // Closed late, so that probes are answered while the node shuts down.
  opened.defer(() => admin.close())
  const guard = createGuard(log)
  opened.defer(() => guard.close())
  const endings = createPendingShutdowns(log)
  // The parts that close before this one speed up these shutdowns.
  opened.defer(() => endings.close())
  const blame = createPluginErrors({ log, emit, reportError })
  const backends = createBackendSet({ node, fabric, processes: guard, log, emit, blame })
  opened.defer(() => backends.close())
  const own = { fabric, bus, renew: shared.renew, startedAt, telemetry, nodes, allEvents, admin, endings }
  return { ...own, blame, reportError, unreadable, backends, added }
}

interface StatusParts extends Pick<NodePartsOptions, 'running' | 'redaction'> {
  readonly fabric: Fabric
  readonly telemetry: NodeTelemetry
  readonly nodes: KnownNodes
  readonly startedAt: number
}

function statusOf({ running, fabric, telemetry, nodes, startedAt, redaction }: StatusParts): Promise<NodeStatus> {
  const { config, gateway, reloads } = running()
  return nodeStatus({
    config,
    gateway,
    reload: reloads.state,
    node: fabric.node,
    startedAt,
    now: Date.now(),
    nodes: nodes.all(),
    redact: redaction.text,
    clocksAheadMs: fabric.gauges().clocksAheadMs,
    files: telemetry.files(),
  })
}
