import type { Config, ParsedConfig } from '@junctor/config'
import type { Closer, Fabric, Log } from '@junctor/exchange'
import { silentLog } from '@junctor/exchange'
import type { HostedBackend } from '@junctor/gateway'
import type { Plugin } from '@junctor/plugin-sdk'
import { JunctorError } from '@junctor/protocol'
import { createGuard } from '@junctor/transport-stdio/back'
import { defaultHttpLimits } from '@junctor/transport-http/front'
import type { Address } from '../address.ts'
import { createAdminDoor } from '../admin-door.ts'
import { createBackendSet } from '../backend-set.ts'
import { announceNode } from '../cluster/announce-node.ts'
import { type AskEvents, queryAllNodes, serveNodeEvents } from '../cluster/node-events.ts'
import { createNodeTable } from '../cluster/node-table.ts'
import { aboutNode } from '../cluster/own-about.ts'
import { nodeStatus } from '../node-status.ts'
import { createNodeTelemetry } from '../node-telemetry.ts'
import { type OpenedFabric, openFabric } from '../open-fabric.ts'
import type { Reloaded } from '../reload.ts'
import { createReloads } from '../reload.ts'
import { hostedConfig } from './hosted-config.ts'
import { createHosting } from './hosting.ts'
import { showBackend } from './show-backend.ts'

export interface WorkerOptions {
  readonly config: Config
  /** The kinds of backends that the configuration may use. */
  readonly plugins: readonly Plugin[]
  /** Names of the backends to hold. Default: all that run on workers. */
  readonly backends?: readonly string[] | undefined
  /** What this node shares with others, instead of what the configuration says. The worker closes it. */
  readonly fabric?: Fabric
  /** Default: nowhere. */
  readonly log?: Log
}

/** One node that holds backends for gateways, and lets no clients in. */
export interface JunctorWorker {
  /** Its name in the fabric. */
  readonly node: string
  /** The names of the backends that it holds now. */
  readonly backends: readonly string[]
  /** Opens the admin port, if the configuration has one. Rejects with `LISTEN_FAILED` or `CLOSED`. */
  listenAdmin(): Promise<Address | undefined>
  /** Holds what a new configuration says from now on, or says why not and goes on with the one before. */
  reload(parsed: ParsedConfig): Promise<Reloaded>
  /**
   * Stops: opens no more links and takes no more calls, lets those under way end for as long as `limits.grace` says,
   * closes links and backends with all their processes, leaves the fabric. Nothing is left. Idempotent.
   */
  close(): Promise<void>
}

/**
 * Makes a worker from a checked configuration. When it resolves gateways can reach its backends. Rejects with
 * `CONFIG_INVALID` when it would hold nothing, when nobody could reach it, and for what only the plugins can tell.
 */
export async function createWorker({
  config,
  plugins,
  backends: names,
  fabric: given,
  log = silentLog,
}: WorkerOptions): Promise<JunctorWorker> {
  const first = hostedConfig(config, names)
  if (given === undefined && config.fabric === 'memory') {
    const message = 'Expected a fabric that gateways share, such as { nats: … }, got memory, in which a worker is alone'
    throw new JunctorError('CONFIG_INVALID', message)
  }
  // What is on it is closed in reverse order: at once when a later step fails, else by the worker's own close.
  await using opened = new AsyncDisposableStack()
  const shared: OpenedFabric =
    given === undefined ? await openFabric(config.fabric, log) : { fabric: given, close: () => given.close() }
  opened.defer(() => shared.close())
  const { fabric } = shared
  const startedAt = Date.now()
  const readings = () => ({ sessions: {}, streams: 0, backends: hosting.readings, fabric: fabric.readings() })
  const telemetry = createNodeTelemetry(config, fabric.node, readings, log)
  opened.defer(() => telemetry.close())
  const { tell } = telemetry
  opened.defer(() => tell({ kind: 'node_stopped', node: fabric.node }))
  const nodes = createNodeTable(fabric)
  opened.defer(() => nodes.close())
  const allEvents: AskEvents = (tenant, asked) =>
    queryAllNodes({ fabric, events: telemetry.events, nodes, log }, tenant, asked)
  let served = config
  const status = () =>
    nodeStatus({
      node: fabric.node,
      startedAt,
      now: Date.now(),
      config: served,
      gateway: { status: async () => [], readings },
      reload: reloads.state,
      nodes: nodes.all(),
    })
  const admin = createAdminDoor({ listen: config.listen.admin, fabric, telemetry, status, allEvents, log })
  opened.defer(() => admin.close())
  const guard = createGuard(log)
  opened.defer(() => guard.close())
  /** What reloads have replaced, while it ends. */
  const ending = new Set<Promise<void>>()
  opened.defer(() => Promise.allSettled(ending).then(() => undefined))
  const backends = createBackendSet({ node: 'worker', plugins, fabric, processes: guard, log, tell })
  opened.defer(() => backends.close())
  const { graceMs = defaultHttpLimits.graceMs } = config.limits
  const { server } = config
  const show = (backend: HostedBackend): Closer | undefined =>
    shared.bus && showBackend(shared.bus, { backend, node: fabric.node, version: server.version })
  const hosting = createHosting({ fabric, log, tell, graceMs, show, changed: () => announcing.now() })
  const announcing = announceNode(fabric, () =>
    aboutNode({ role: 'worker', server, startedAt, backends: hosting.about }),
  )
  opened.defer(() => announcing.close())
  const telling = await serveNodeEvents(fabric, telemetry.events)
  opened.defer(() => telling.close())
  const made = await backends.prepare(first)
  made.commit()
  await hosting.update(made.entries)
  opened.defer(() => hosting.drain())
  opened.defer(() => admin.become({ ready: false, reason: 'draining' }))
  tell({ kind: 'node_started', node: fabric.node })
  const reloads = createReloads({
    config,
    log,
    tell,
    now: Date.now,
    async apply(next) {
      const prepared = await backends.prepare(hostedConfig(next, names))
      const { closed } = await hosting.update(prepared.entries)
      const closeGone = prepared.commit()
      telemetry.follow(next)
      served = next
      const ended = closed.then(closeGone)
      ending.add(ended)
      void ended
        .catch((error: unknown) => log.warn('what a reload replaced did not close cleanly', { error }))
        .finally(() => ending.delete(ended))
    },
  })
  const parts = opened.move()
  let closed: Promise<void> | undefined

  return {
    node: fabric.node,
    get backends() {
      return hosting.readings.map(({ name }) => name)
    },
    async listenAdmin() {
      if (closed !== undefined) throw new JunctorError('CLOSED', 'expected a worker that is open, got a closed one')
      admin.become({ ready: true })
      return admin.listen()
    },
    reload: (parsed) => reloads.reload(parsed),
    close: () => (closed ??= parts.disposeAsync()),
  }
}
