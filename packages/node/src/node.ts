import type { Readable, Writable } from 'node:stream'
import type { Config, ParsedConfig } from '@junctor/config'
import type { Fabric, Log } from '@junctor/contracts'
import { silentLog } from '@junctor/contracts'
import type { BackendStatus } from '@junctor/gateway'
import type { Plugin } from '@junctor/plugin-sdk'
import type { StdioServer } from '@junctor/transport-stdio/front'
import type { Address } from './address.ts'
import { joinCluster } from './cluster/join-cluster.ts'
import { aboutNode, ownBackends } from './cluster/own-about.ts'
import { watchPolicies } from './cluster/watch-policies.ts'
import { createDoors } from './doors/doors.ts'
import { openNodeGateway } from './node-gateway.ts'
import { createNodeRedaction } from './node-redaction.ts'
import { openNodeParts } from './open-node-parts.ts'
import type { Reloaded } from './reload.ts'
import { createReloads } from './reload.ts'
import { openServedConfig } from './served-config.ts'
import { untilClosed } from './until-closed.ts'

export interface NodeOptions {
  readonly config: Config
  /** The kinds of backends that the configuration may use. */
  readonly plugins: readonly Plugin[]
  /** What this node shares with others. Default: a memory of its own. The node closes it. */
  readonly fabric?: Fabric
  /** Default: nowhere. */
  readonly log?: Log
  /** What `gateway_status` says of the log. Default: `info`. */
  readonly logLevel?: string
}

/** One node: a gateway, the backends behind it, and the transports in front of it. */
export interface JunctorNode {
  /**
   * Opens the HTTP front, and the admin port if there is one, where the configuration says. Rejects with
   * `LISTEN_FAILED`, `CONFIG_INVALID` or `CLOSED`.
   */
  listen(): Promise<{ readonly http: Address; readonly admin: Address | undefined }>
  /** Opens the admin port alone, if there is one: for a node that serves standard streams. Rejects like `listen`. */
  listenAdmin(): Promise<Address | undefined>
  /** Serves one client on a pair of streams, normally those of this process. */
  serveStdio(input: Readable, output: Writable): StdioServer
  /** How each backend does, asking those that have not been asked. */
  status(): Promise<readonly BackendStatus[]>
  /**
   * Serves a new configuration from now on, or says why not and goes on with the one before. What is the same in both
   * does not notice: its links and its sessions go on.
   */
  reload(parsed: ParsedConfig): Promise<Reloaded>
  /**
   * Takes an error that nobody has caught. To be called from within the process's `uncaughtException` and
   * `unhandledRejection`, for there it is known whose it is; `createLastResort` of `@junctor/command` does. It is logged
   * and counted. Gives the name of the backend whose plugin left it, which is no reason for the node to end; undefined:
   * it may be the node's own fault.
   */
  uncaught(error: unknown): string | undefined
  /**
   * Stops: answers what is under way, ends sessions and streams, closes backends with all their processes, leaves the
   * fabric. Nothing is left: no socket, no process, no timer. What fails to close keeps nothing else from closing, and
   * rejects at the end. Idempotent.
   */
  close(): Promise<void>
}

/**
 * Makes a node from a checked configuration. The only place where transports, fabric and gateway meet; every app and
 * test uses it. Rejects with `CONFIG_INVALID` for what only the plugins can tell.
 */
export async function createNode({
  config,
  plugins,
  fabric: given,
  log: everything = silentLog,
  logLevel = 'info',
}: NodeOptions): Promise<JunctorNode> {
  const redaction = createNodeRedaction(config, everything)
  const { log } = redaction
  // What is on it is closed in reverse order: at once when a later step fails, else by the node's own close.
  await using opened = new AsyncDisposableStack()
  const parts = await openNodeParts(opened, {
    node: 'gateway',
    config,
    plugins,
    fabric: given,
    running: () => ({ config: served.config, gateway, reload: reloads.state }),
    redaction,
  })
  const { fabric, bus, startedAt, admin, blame, caught } = parts
  const { tell } = parts.telemetry
  const served = await openServedConfig(config, { ...parts, redaction })
  const { gateway, takeOver } = await openNodeGateway(opened, { ...parts, served, redaction, logLevel })
  await joinCluster(opened, parts, () => {
    const backends = ownBackends(gateway.readings(), served.config)
    return aboutNode({ role: 'gateway', server: config.server, startedAt, policy: served.policy, backends })
  })
  const watching = watchPolicies(fabric, log, caught)
  opened.defer(() => watching.close())
  tell({ kind: 'node_started', node: fabric.node })
  const doors = createDoors({ config, gateway, admin, bus, log })
  opened.defer(() => doors.close())
  const apply = (next: Config) => served.change(next, takeOver)
  const reloads = createReloads({ config, apply, log, tell, now: Date.now })
  const node = untilClosed('node', opened.move())

  return {
    listen: () => node.open(() => doors.listen()),
    listenAdmin: () => node.open(() => doors.listenAdmin()),
    serveStdio: (input, output) => doors.serveStdio(input, output),
    async status() {
      const statuses = await gateway.status()
      return statuses.map(({ error, ...status }) => ({ ...status, error: error && redaction.error(error) }))
    },
    reload: (parsed) => reloads.reload(parsed),
    uncaught: (error) => blame.uncaught(error),
    close: () => node.close(),
  }
}
