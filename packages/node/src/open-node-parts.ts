import type { Config } from '@junctor/config'
import type { Caught, Fabric, Tell } from '@junctor/contracts'
import { createCaught, tellNobody } from '@junctor/contracts'
import type { Gateway } from '@junctor/gateway'
import type { Plugin } from '@junctor/plugin-sdk'
import { createGuard } from '@junctor/transport-stdio/back'
import type { AdminDoor } from './doors/admin-door.ts'
import { createAdminDoor } from './doors/admin-door.ts'
import { type Blame, createBlame } from './blame.ts'
import type { BackendSet } from './backend-set.ts'
import { createBackendSet } from './backend-set.ts'
import type { AskEvents } from './cluster/node-events.ts'
import { queryAllNodes } from './cluster/node-events.ts'
import type { NodeTable } from './cluster/node-table.ts'
import { createNodeTable } from './cluster/node-table.ts'
import type { Endings } from './endings.ts'
import { createEndings } from './endings.ts'
import { nodeStatus } from './node-status.ts'
import type { NodeRedaction } from './node-redaction.ts'
import type { NodeTelemetry } from './node-telemetry.ts'
import { createNodeTelemetry } from './node-telemetry.ts'
import type { Bus, OpenedFabric } from './open-fabric.ts'
import { openFabric } from './open-fabric.ts'
import type { ReloadState } from './reload.ts'

/** The current state of a node, for gauges and for the operator. */
interface RunningNode {
  /** The current configuration. */
  readonly config: Config
  readonly gateway: Pick<Gateway, 'status' | 'readings'>
  readonly reload: ReloadState
}

export interface NodePartsOptions {
  readonly node: 'gateway' | 'worker'
  /** The configuration at the start. */
  readonly config: Config
  /** The plugins that the configuration may use. */
  readonly plugins: readonly Plugin[]
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
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly telemetry: NodeTelemetry
  readonly nodes: NodeTable
  readonly allEvents: AskEvents
  /** Not open yet. */
  readonly admin: AdminDoor
  readonly endings: Endings
  readonly blame: Blame
  /** Called with errors that the node's loops and timers have caught. */
  readonly caught: Caught
  /** Initially empty. */
  readonly backends: BackendSet
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
  // The fabric exists before the listeners of facts: errors that it catches until then are only logged.
  let tell: Tell = tellNobody
  const caught = createCaught(log, (fact) => tell(fact))
  const shared: OpenedFabric =
    given === undefined ? await openFabric(config.fabric, log, caught) : { fabric: given, close: () => given.close() }
  opened.defer(() => shared.close())
  const { fabric, bus } = shared
  const startedAt = Date.now()
  // Created before the parts that it reads, because they all report facts to it.
  const telemetry = createNodeTelemetry(
    config,
    fabric.node,
    () => ({ ...running().gateway.readings(), fabric: fabric.readings() }),
    redaction,
  )
  opened.defer(() => telemetry.close())
  tell = telemetry.tell
  opened.defer(() => telemetry.tell({ kind: 'node_stopped', node: fabric.node }))
  const nodes = createNodeTable(fabric, caught)
  opened.defer(() => nodes.close())
  const allEvents: AskEvents = (tenant, asked) =>
    queryAllNodes({ fabric, events: telemetry.events, nodes, log }, tenant, asked)
  const status = () =>
    nodeStatus({
      ...running(),
      node: fabric.node,
      startedAt,
      now: Date.now(),
      nodes: nodes.all(),
      redact: redaction.text,
      clocksAheadMs: fabric.readings().clocksAheadMs,
      files: telemetry.files(),
    })
  const admin = createAdminDoor({ listen: config.listen.admin, fabric, telemetry, status, allEvents, log })
  // Closed late, so that probes are answered while the node shuts down.
  opened.defer(() => admin.close())
  const guard = createGuard(log)
  opened.defer(() => guard.close())
  const endings = createEndings(log)
  // The parts that close before this one speed up these shutdowns.
  opened.defer(() => endings.close())
  const blame = createBlame({ log, tell, caught })
  const backends = createBackendSet({ node, plugins, fabric, processes: guard, log, tell, blame })
  opened.defer(() => backends.close())
  return { fabric, bus, startedAt, telemetry, nodes, allEvents, admin, endings, blame, caught, backends }
}
