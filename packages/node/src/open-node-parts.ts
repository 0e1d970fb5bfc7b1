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

/** How a node does, for gauges and for whoever runs it. */
interface RunningNode {
  /** What it serves. */
  readonly config: Config
  readonly gateway: Pick<Gateway, 'status' | 'readings'>
  readonly reload: ReloadState
}

export interface NodePartsOptions {
  readonly node: 'gateway' | 'worker'
  /** What it starts with. */
  readonly config: Config
  /** The kinds of backends that the configuration may use. */
  readonly plugins: readonly Plugin[]
  /** Instead of the one that the configuration asks for. It is closed with the node. */
  readonly fabric: Fabric | undefined
  /** Asked at scrapes and by whoever runs the node: not before the admin port is open. */
  readonly running: () => RunningNode
  readonly redaction: NodeRedaction
}

/** What every node stands on, whatever it is for. */
export interface NodeParts {
  readonly fabric: Fabric
  /** Absent: the fabric has none. */
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
  /** Told of what its loops and timers have caught. */
  readonly caught: Caught
  /** Empty. */
  readonly backends: BackendSet
}

/**
 * Opens them. Rejects like `openFabric`.
 *
 * @param opened gets what closes each, to be called in reverse order
 */
export async function openNodeParts(
  opened: AsyncDisposableStack,
  { node, config, plugins, fabric: given, running, redaction }: NodePartsOptions,
): Promise<NodeParts> {
  const { log } = redaction
  // The fabric is there before who listens to facts: until then what it catches is in the log alone.
  let tell: Tell = tellNobody
  const caught = createCaught(log, (fact) => tell(fact))
  const shared: OpenedFabric =
    given === undefined ? await openFabric(config.fabric, log, caught) : { fabric: given, close: () => given.close() }
  opened.defer(() => shared.close())
  const { fabric, bus } = shared
  const startedAt = Date.now()
  // Made before what it reads and asks, because all that is made in between tells it.
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
  // Closed late, so that probes hear of a node that ends for as long as it does.
  opened.defer(() => admin.close())
  const guard = createGuard(log)
  opened.defer(() => guard.close())
  const endings = createEndings(log)
  // What closes before it hastens them.
  opened.defer(() => endings.close())
  const blame = createBlame({ log, tell, caught })
  const backends = createBackendSet({ node, plugins, fabric, processes: guard, log, tell, blame })
  opened.defer(() => backends.close())
  return { fabric, bus, startedAt, telemetry, nodes, allEvents, admin, endings, blame, caught, backends }
}
