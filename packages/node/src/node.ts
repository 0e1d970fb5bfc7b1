import type { Readable, Writable } from 'node:stream'
import { type Fabric, type Log, silentLog } from '@junctor/contracts'
import type { Interceptor } from '@junctor/exchange'
import type { BackendStatus } from '@junctor/gateway'
import { defaultHttpLimits } from '@junctor/transport-http/limits'
import type { Plugin } from '@junctor/plugin-sdk'
import type { StdioServer } from '@junctor/transport-stdio/front'
import type { Address } from './listeners/address.ts'
import { findPages } from './backends/find-pages.ts'
import { joinCluster } from './cluster/join-cluster.ts'
import { aboutNode, ownBackends } from './cluster/own-about.ts'
import { watchPolicies } from './cluster/watch-policies.ts'
import { createListeners, type Listeners } from './listeners/create-listeners.ts'
import { openNodeGateway } from './node-gateway.ts'
import { createNodeRedaction } from './telemetry/node-redaction.ts'
import { openNodeParts } from './open-node-parts.ts'
import { createReloads, type Reloaded } from './reload/reload.ts'
import { withAddedBackends } from './added-backends/with-added-backends.ts'
import { type ApplyConfig, openServedConfig, type ServedConfig } from './reload/served-config.ts'
import { closeOnce } from './close-once.ts'
import { requireReadConfig } from './require-read-config.ts'
import type { NodeConfig, ParsedNodeConfig } from './node-config.ts'

/** What a node is made of. */
export interface NodeOptions {
  readonly config: NodeConfig
  /**
   * The plugins of which backends can be added while the node runs: by its admin port, or at another node of the same
   * fabric. Default: none can be added, and those of other nodes are not served.
   */
  readonly plugins?: readonly Plugin[]
  /** The shared state of the nodes. Default: a fabric in memory. The node closes it. */
  readonly fabric?: Fabric
  /** Default: a log that discards every message. */
  readonly log?: Log
  /** The log level that `gateway_status` shows. Default: `info`. */
  readonly logLevel?: string
  /**
   * Code around every request of every tenant, the first outermost: it refuses or observes a request before the gateway
   * routes it. Requests run through it at the home of their session, so all nodes of a fabric should have the same.
   * Default: none.
   */
  readonly interceptors?: readonly Interceptor[]
}

/** One node: a gateway, its backends and its transports. */
export interface JunctorNode {
  /** Its name in the fabric: other nodes call it so in their logs and in `junctor status`. */
  readonly node: string
  /**
   * Opens the HTTP front, and the admin port if there is one, as configured. Called again, it returns the same addresses.
   * Rejects with `LISTEN_FAILED`, `CONFIG_INVALID` or `CLOSED`.
   */
  listen(): Promise<{ readonly http: Address; readonly admin: Address | undefined }>
  /** Opens only the admin port, if there is one: for a node that serves standard streams. Rejects like `listen`. */
  listenAdmin(): Promise<Address | undefined>
  /** Serves one client on a pair of streams, usually those of this process. */
  serveStdio(input: Readable, output: Writable): StdioServer
  /** Returns the status of each backend. Backends that were not asked before are asked. See `Gateway.status`. */
  status(waitMs?: number): Promise<readonly BackendStatus[]>
  /**
   * Applies a new configuration, or returns why not and keeps the current one. Parts that are equal in both are not
   * affected: their links and sessions continue. Rejects with `CLOSED` after `close`.
   */
  reload(parsed: ParsedNodeConfig): Promise<Reloaded>
  /**
   * Handles an uncaught error: logs and counts it. Call it from within the process's `uncaughtException` and
   * `unhandledRejection` handlers, because only there the owner of the error is known; `createLastResort` of
   * `@junctor/command` does so. Returns the name of the backend whose plugin caused the error, or the file of a module
   * that did while it loaded, which is no reason to end the node; undefined: the error may be a fault of the node itself.
   */
  uncaught(error: unknown): string | undefined
  /**
   * Stops the node: answers requests in progress, ends sessions and streams, closes backends with all their processes,
   * leaves the fabric. No socket, process or timer remains. A failure does not prevent closing the rest, and rejects at
   * the end. Idempotent.
   */
  close(): Promise<void>
}

/**
 * Creates a node from a checked configuration. Only here transports, fabric and gateway are combined; every app and
 * test uses it. Rejects with `CONFIG_INVALID` for a configuration that was not read by `parseConfig` or `readConfig`, and
 * for faults that only the plugins can detect.
 */
export async function createNode({
  config,
  plugins,
  fabric: given,
  log: everything = silentLog,
  logLevel = 'info',
  interceptors = [],
}: NodeOptions): Promise<JunctorNode> {
  const redaction = createNodeRedaction(requireReadConfig(config), everything)
  const { log } = redaction
  // The parts on this stack are closed in reverse order: immediately when a later step fails, else by the node's
  // `close`.
  await using opened = new AsyncDisposableStack()
  const parts = await openNodeParts(opened, {
    node: 'gateway',
    config,
    plugins,
    fabric: given,
    running: () => ({ config: served.config, gateway, reloads, failures: parts.backends.failures }),
    redaction,
  })
  const { fabric, bus, startedAt, admin, blame, reportError, telemetry } = parts
  const first = plugins === undefined ? config : await withAddedBackends(config, parts, redaction)
  const served = await openServedConfig(first, { ...parts, redaction })
  const around = { ...parts, served, redaction, logLevel, interceptors }
  const { gateway, applyConfig } = await openNodeGateway(opened, around)
  await joinCluster(opened, parts, () => {
    const backends = ownBackends(gateway.gauges(), served.config)
    return aboutNode({ role: 'gateway', server: config.server, startedAt, policy: served.policy, backends })
  })
  const watching = watchPolicies(fabric, log, reportError)
  opened.defer(() => watching.close())
  telemetry.emit({ kind: 'node_started', node: fabric.node })
  const pages = findPages({ served, front: gateway.front, fabric, log })
  const listeners = createListeners({ config, gateway, admin, bus, log, pages })
  const { graceMs = defaultHttpLimits.graceMs } = config.limits
  const apply = applyTo(served, applyConfig, listeners, config.publicUrl)
  const addTo = (file: NodeConfig) => parts.added.addTo(file)
  const reloads = createReloads({ config, served: first, addTo, apply, log, emit: telemetry.emit, now: Date.now })
  opened.defer(async () => {
    await Promise.all([listeners.close(), parts.backends.drain(graceMs), reloads.settled()])
  })
  if (plugins !== undefined) parts.added.follow()
  opened.defer(() => parts.added.close())
  const node = closeOnce('node', opened.move())

  return {
    node: fabric.node,
    listen: () => node.open(() => listeners.listen()),
    listenAdmin: () => node.open(() => listeners.listenAdmin()),
    serveStdio: (input, output) => listeners.serveStdio(input, output),
    async status(waitMs) {
      const statuses = await gateway.status(waitMs)
      return statuses.map(({ error, ...status }) => ({ ...status, error: error && redaction.error(error) }))
    },
    reload: (parsed) => node.open(() => reloads.reload(parsed)),
    uncaught: (error) => blame.uncaught(error),
    close: () => node.close(),
  }
}

/**
 * Applies another configuration to the gateway, and then to its listeners. Rejects like `ServedConfig.change`.
 *
 * @param publicUrl of the start: another one waits for a restart, because clients reach the listeners by the first
 */
function applyTo(
  served: ServedConfig,
  applyConfig: ApplyConfig,
  listeners: Pick<Listeners, 'follow'>,
  publicUrl: string | undefined,
) {
  return async (next: NodeConfig): Promise<void> => {
    await served.change({ ...next, publicUrl: publicUrl ?? next.publicUrl }, applyConfig)
    listeners.follow(next)
  }
}
