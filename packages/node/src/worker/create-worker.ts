import { type Closer, type Fabric, type Log, silentLog } from '@junctor/contracts'
import type { HostedBackend } from '@junctor/gateway'
import { JunctorError } from '@junctor/protocol'
import { defaultHttpLimits } from '@junctor/transport-http/limits'
import type { Address } from '../listeners/address.ts'
import { joinCluster } from '../cluster/join-cluster.ts'
import { aboutNode } from '../cluster/own-about.ts'
import { createNodeRedaction } from '../telemetry/node-redaction.ts'
import { openNodeParts } from '../open-node-parts.ts'
import { createReloads, type Reloaded } from '../reload/reload.ts'
import type { WithAdded } from '../added-backends/with-added.ts'
import { openServedConfig } from '../reload/served-config.ts'
import { closeOnce } from '../close-once.ts'
import { hostedConfig } from './hosted-config.ts'
import { createHosting } from './hosting.ts'
import { requireReadConfig } from '../require-read-config.ts'
import type { NodeConfig, ParsedNodeConfig } from '../node-config.ts'

/** What a worker is made of. */
export interface WorkerOptions {
  readonly config: NodeConfig
  /** Names of the backends to hold. Default: all backends that run on workers. */
  readonly backends?: readonly string[] | undefined
  /** The shared state of the nodes, in place of the configured one. The worker closes it. */
  readonly fabric?: Fabric
  /** Default: a log that discards every message. */
  readonly log?: Log
}

/** One node that holds backends for gateways and accepts no clients. */
export interface JunctorWorker {
  /** Its name in the fabric. */
  readonly node: string
  /** The names of the backends that it currently holds. */
  readonly backends: readonly string[]
  /** Opens the admin port, if the configuration has one. Rejects with `LISTEN_FAILED` or `CLOSED`. */
  listenAdmin(): Promise<Address | undefined>
  /** Applies a new configuration, or returns why not and keeps the current one. Rejects with `CLOSED` after `close`. */
  reload(parsed: ParsedNodeConfig): Promise<Reloaded>
  /** See `JunctorNode.uncaught`. */
  uncaught(error: unknown): string | undefined
  /**
   * Stops the worker: opens no more links, accepts no more calls, waits for calls in progress for at most
   * `limits.grace`, closes links and backends with all their processes, leaves the fabric. Nothing remains. Idempotent.
   */
  close(): Promise<void>
}

/**
 * Creates a worker from a checked configuration. When it resolves, gateways can reach its backends. Rejects with
 * `CONFIG_INVALID` when it would hold no backend, when no gateway could reach it, and for faults that only the plugins
 * can detect.
 */
export async function createWorker({
  config,
  backends: names,
  fabric: given,
  log: everything = silentLog,
}: WorkerOptions): Promise<JunctorWorker> {
  const redaction = createNodeRedaction(requireReadConfig(config), everything)
  const { log } = redaction
  const held = (of: NodeConfig): NodeConfig => hostedConfig(of, names)
  held(config) // Throws before any part is opened.
  if (given === undefined) requireSharedFabric(config)
  // The parts on this stack are closed in reverse order: immediately when a later step fails, else by the worker's
  // `close`.
  await using opened = new AsyncDisposableStack()
  const parts = await openNodeParts(opened, {
    node: 'worker',
    config,
    fabric: given,
    running: () => ({ config: served.config, gateway: { status: async () => [], gauges }, reloads }),
    redaction,
  })
  const { fabric, bus, startedAt, admin, blame, unreadable } = parts
  const { emit } = parts.telemetry
  const gauges = () => ({ sessions: {}, streams: 0, waiting: 0, backends: hosting.gauges })
  const { server, limits } = config
  const { graceMs = defaultHttpLimits.graceMs } = limits
  // Only workers need this module, which uses NATS; a gateway does not load it.
  const { makeDiscoverable } = await import('./make-discoverable.ts')
  const show = (backend: HostedBackend): Closer | undefined =>
    bus && makeDiscoverable(bus, { backend, node: fabric.node, version: server.version })
  const hosting = createHosting({ fabric, log, emit, unreadable, graceMs, show, changed: () => announcing.now() })
  const announcing = await joinCluster(opened, parts, () =>
    aboutNode({ role: 'worker', server, startedAt, backends: hosting.about }),
  )
  const served = await openServedConfig(config, { ...parts, redaction, held })
  await hosting.update(served.backends)
  emit({ kind: 'node_started', node: fabric.node })
  const apply = (next: NodeConfig) => served.change(next, (_next, { entries }) => hosting.update(entries))
  const reloads = createReloads({ config, served: config, addTo: asInFile, apply, log, emit, now: Date.now })
  opened.defer(async () => {
    await Promise.all([hosting.drain(), parts.backends.drain(graceMs), reloads.settled()])
  })
  opened.defer(() => admin.become({ ready: false, reason: 'draining' }))
  const worker = closeOnce('worker', opened.move())

  return {
    node: fabric.node,
    get backends() {
      return hosting.gauges.map(({ name }) => name)
    },
    listenAdmin: () =>
      worker.open(() => {
        admin.become({ ready: true })
        return admin.listen()
      }),
    reload: (parsed) => worker.open(() => reloads.reload(parsed)),
    uncaught: (error) => blame.uncaught(error),
    close: () => worker.close(),
  }
}

/** Workers hold the backends of their file only. */
function asInFile(config: NodeConfig): WithAdded {
  return { config, unserved: new Map() }
}

/** @throws JunctorError `CONFIG_INVALID` */
function requireSharedFabric({ fabric }: NodeConfig): void {
  if (fabric !== 'memory') return
  const message = 'Expected a fabric that gateways share, such as { nats: … }, got memory, in which a worker is alone'
  throw new JunctorError('CONFIG_INVALID', message)
}
