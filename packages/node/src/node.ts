import type { Readable, Writable } from 'node:stream'
import { createAuthenticator } from '@junctor/auth'
import type { Config, ParsedConfig } from '@junctor/config'
import type { Fabric, Log } from '@junctor/exchange'
import { silentLog } from '@junctor/exchange'
import type { BackendStatus } from '@junctor/gateway'
import { createGateway } from '@junctor/gateway'
import type { Plugin } from '@junctor/plugin-sdk'
import { JunctorError, type Profile } from '@junctor/protocol'
import { profileNamed } from './profile-named.ts'
import type { StdioServer } from '@junctor/transport-stdio/front'
import type { Address } from './address.ts'
import { authenticatorOptions } from './authenticator-options.ts'
import { announceNode } from './cluster/announce-node.ts'
import { serveNodeEvents } from './cluster/node-events.ts'
import { aboutNode, ownBackends } from './cluster/own-about.ts'
import { policyFingerprint } from './cluster/policy-fingerprint.ts'
import { watchPolicies } from './cluster/watch-policies.ts'
import { createDoors } from './doors.ts'
import { chosen, gatewayLimitNames } from './limits.ts'
import { openNodeParts } from './open-node-parts.ts'
import type { Reloaded } from './reload.ts'
import { createReloads } from './reload.ts'
import { createGatewayTools } from './gateway-tools/gateway-tools.ts'
import { createNodeRedaction } from './node-redaction.ts'
import { requireAudit } from './require-audit.ts'
import { createTenantEntries } from './tenant-entries.ts'

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
  const { fabric, bus, startedAt, telemetry, nodes, allEvents, admin, endings, blame, caught, backends } =
    await openNodeParts(opened, {
      node: 'gateway',
      config,
      plugins,
      fabric: given,
      running: () => ({ config: served, gateway, reload: reloads.state }),
      redaction,
    })
  const { tell } = telemetry
  let served = config
  let policy = policyFingerprint(config)
  const gatewayTools = createGatewayTools({
    gateway: {
      ...config.server,
      logLevel,
      get timeoutMs() {
        return served.timeoutMs
      },
    },
    backends: (tenant) => gateway.backendsOf(tenant),
    nodes: () => nodes.all(),
    events: allEvents,
  })
  const prepared = await backends.prepare(config)
  prepared.commit()
  // As it was started with: only a start takes another audit over.
  const interceptors = (profile: Profile) => (config.audit.required === true ? [requireAudit(telemetry, profile)] : [])
  const tenants = createTenantEntries(config, prepared.entries, gatewayTools, interceptors)
  let authenticator = createAuthenticator(authenticatorOptions(config, tenants, { log, tell }))
  opened.defer(() => authenticator.close())
  const gateway = await createGateway({
    fabric,
    tenants,
    authenticate: (head) => authenticator.authenticate(head),
    profile: () => profileNamed(served.profile),
    info: config.server,
    ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl.replace(/\/+$/, '') }),
    limits: chosen(config.limits, gatewayLimitNames),
    log,
    tell,
  })
  opened.defer(() => gateway.close())
  const { server } = config
  const announcing = announceNode(
    fabric,
    () => aboutNode({ role: 'gateway', server, startedAt, policy, backends: ownBackends(gateway.readings(), served) }),
    caught,
  )
  opened.defer(() => announcing.close())
  const watching = watchPolicies(fabric, log, caught)
  opened.defer(() => watching.close())
  const telling = await serveNodeEvents(fabric, telemetry.events)
  opened.defer(() => telling.close())
  tell({ kind: 'node_started', node: fabric.node })
  const doors = createDoors({ config, gateway, admin, bus, log })
  opened.defer(() => doors.close())
  const reloads = createReloads({
    config,
    log,
    tell,
    now: Date.now,
    async apply(next) {
      redaction.follow(next)
      const made = await backends.prepare(next)
      try {
        const entries = createTenantEntries(next, made.entries, gatewayTools, interceptors)
        authenticator = authenticator.renew(authenticatorOptions(next, entries, { log, tell }))
        const closeGone = made.commit()
        telemetry.follow(next)
        served = next
        policy = policyFingerprint(next)
        // Calls that run on what is gone may take a while to end; the new configuration does not wait for them.
        endings.add(gateway.update(entries).then(closeGone))
      } catch (error) {
        await made.discard()
        throw error
      }
    },
  })
  const parts = opened.move()
  let closed: Promise<void> | undefined

  const ifOpen = async <Opened>(open: () => Promise<Opened>): Promise<Opened> => {
    if (closed !== undefined) throw new JunctorError('CLOSED', 'expected a node that is open, got one that was closed')
    return open()
  }

  return {
    listen: () => ifOpen(() => doors.listen()),
    listenAdmin: () => ifOpen(() => doors.listenAdmin()),
    serveStdio: (input, output) => doors.serveStdio(input, output),
    async status() {
      const statuses = await gateway.status()
      return statuses.map(({ error, ...status }) => ({ ...status, error: error && redaction.error(error) }))
    },
    reload: (parsed) => reloads.reload(parsed),
    uncaught: (error) => blame.uncaught(error),
    close: () => (closed ??= parts.disposeAsync()),
  }
}
