import type { Front } from '@junctor/contracts'
import { createBackendSide } from './backend-side.ts'
import { createClientSide } from './client-side.ts'
import { createNodeParts } from './node-parts.ts'
import type { NodeShutdown } from './node-shutdown.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { startPeriodicChores } from './start-periodic-chores.ts'
import { readGauges, type GatewayGauges } from './gateway-gauges.ts'
import { serveNodes } from './serve-nodes.ts'
import type { TenantEntry } from './shared/tenant-entry.ts'
import { replaceTenants } from './replace-tenants.ts'
import type { BackendStatus, TenantBackend } from './upstream/catalogue/backend-status.ts'
import { longestCall } from './upstream/links/longest-call.ts'

/** A gateway on one node: the part that transports call, and everything behind it. */
export interface Gateway extends Pick<NodeShutdown, 'finishAccepted' | 'drain' | 'leave'> {
  readonly front: Front
  /**
   * The status of every backend. Opens a link to each backend that was not used yet.
   *
   * @param waitMs the longest wait for a backend, in milliseconds. Default: until it answers, or has failed
   */
  status(waitMs?: number): Promise<readonly BackendStatus[]>
  /** The backends of a tenant. Waits a while for those that were not used yet. Empty for an unknown tenant. */
  backendsOf(tenant: string): Promise<readonly TenantBackend[]>
  /**
   * Replaces the tenants. Sessions keep everything that their tenant still has. Resolves when the links of removed
   * backends are closed.
   */
  update(tenants: readonly TenantEntry[]): Promise<void>
  /** The current values for gauges. */
  gauges(): GatewayGauges
  /** Opens no more sessions; everything else continues. */
  retire(): void
  /**
   * Ends the requests that wait for the next round of their client (2026-07-28): no client can reach this node any more, so no
   * next round comes.
   */
  endWaiting(): void
  /** Ends every session, link and timer, and unregisters from the fabric. Open requests end with `shutdown`. */
  close(): Promise<void>
}

/** Makes a gateway: backends, jobs, sessions and the front that answers clients. It listens nowhere itself. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const nodeParts = createNodeParts(options)
  await nodeParts.rates.calls.applyConfig(options.tenants)
  const backendSide = createBackendSide(nodeParts)
  const clientSide = createClientSide(nodeParts, backendSide, options)
  const { table, tenants, state, nodes, reconnects, streams, clock, rates, load } = nodeParts
  const { upstream, runner, listeners } = backendSide
  const { publicUrl } = options
  const { sessions, visiting, messages, shutdown, stateless } = clientSide
  const services = await serveNodes(nodeParts, backendSide, clientSide)
  const end = (id: string): Promise<void> => sessions.end(id, 'session_ended', 'reloaded')
  const stopFollowing = upstream.follow()
  const stopChores = startPeriodicChores(nodeParts, backendSide, clientSide)

  return {
    front: clientSide.front,
    status: (waitMs) => upstream.status.all(waitMs),
    async backendsOf(name) {
      const tenant = tenants.get(name)
      return tenant === undefined ? [] : upstream.status.of(tenant)
    },
    async update(next) {
      state.longestCallMs = longestCall([...tenants.values(), ...next])
      await rates.calls.applyConfig(next)
      await replaceTenants({ tenants, table, listeners, upstream, publicUrl, end }, next)
      state.longestCallMs = longestCall(next)
    },
    gauges: () => readGauges(table, streams, upstream.status, stateless.parked),
    retire() {
      state.isRetired = true
    },
    endWaiting: () => stateless.parked.close(),
    finishAccepted: (graceMs) => shutdown.finishAccepted(graceMs),
    drain: (graceMs) => shutdown.drain(graceMs),
    leave: () => shutdown.leave(),
    async close() {
      stopChores()
      reconnects.close()
      rates.close()
      load.close()
      shutdown.close()
      nodes.close()
      stateless.endListening()
      stateless.parked.close()
      stopFollowing()
      await runner.close()
      messages.close()
      await services.closeControls()
      for (const { id } of table.visiting()) sessions.leave(id, 'shutdown')
      visiting.leave()
      await Promise.all([...table.homes()].map(({ id }) => sessions.end(id, 'shutdown')))
      await services.close()
      await upstream.close()
      clock.deadlines.close()
    },
  }
}
