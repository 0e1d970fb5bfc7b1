import type { Front } from '@junctor/contracts'
import { createAnswering } from './answering.ts'
import { createClientSide } from './client-side.ts'
import { createFoundation } from './foundation.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { keepHouse } from './keep-house.ts'
import { readings, type GatewayReadings } from './readings.ts'
import { serveNodes } from './serve-nodes.ts'
import type { TenantEntry } from './shared/tenant-entry.ts'
import { takeOver } from './take-over.ts'
import type { BackendStatus, TenantBackend } from './upstream/catalogue/backend-status.ts'
import { longestCall } from './upstream/links/longest-call.ts'

/** A gateway on one node: what transports speak to, and what runs behind it. */
export interface Gateway {
  readonly front: Front
  /** How each backend does, asking those that have not been asked. */
  status(): Promise<readonly BackendStatus[]>
  /** A tenant's backends, after waiting a while for those that it has not asked; none for a tenant that is not there. */
  backendsOf(tenant: string): Promise<readonly TenantBackend[]>
  /** Serves these tenants from now on. Sessions go on with whatever of theirs stays. Resolves when what is gone is closed. */
  update(tenants: readonly TenantEntry[]): Promise<void>
  /** How things stand at this moment, for gauges. */
  readings(): GatewayReadings
  /** Opens no more sessions; all else goes on. */
  retire(): void
  /**
   * Hands on what was accepted here and is not answered yet, sessions and jobs, to nodes that stay; where there is none,
   * finishes it, for as long as clients can still come. Resolves when nothing waits for this node, or after this many
   * milliseconds.
   */
  keepPromises(graceMs: number): Promise<void>
  /**
   * Ends the sessions that clients may reach by any node, each as soon as nothing of it is at work here. Resolves when
   * all have ended, and the jobs that are run here, or after this many milliseconds.
   */
  drain(graceMs: number): Promise<void>
  /** Ends the requests of clients that are under way, with `shutdown`: they have been waited for long enough. */
  leave(): void
  /** Ends every session, link and timer, and leaves the fabric's services. Requests in flight end with `shutdown`. */
  close(): Promise<void>
}

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const foundation = createFoundation(options)
  const answering = createAnswering(foundation)
  const clientSide = createClientSide(foundation, answering, options)
  const { table, tenants, state, nodes, streams, clock } = foundation
  const { upstream, runner } = answering
  const { sessions, messages, departure } = clientSide
  const services = await serveNodes(foundation, answering, clientSide)
  const stopFollowing = upstream.follow()
  const stopHousekeeping = keepHouse(foundation, answering, clientSide)

  return {
    front: clientSide.front,
    status: () => upstream.status.all(),
    async backendsOf(name) {
      const tenant = tenants.get(name)
      return tenant === undefined ? [] : upstream.status.of(tenant)
    },
    async update(next) {
      state.longestCallMs = longestCall([...tenants.values(), ...next])
      await takeOver({ tenants, table, upstream, end: (id, why) => sessions.end(id, 'session_ended', why) }, next)
      state.longestCallMs = longestCall(next)
    },
    readings: () => readings(table, streams, upstream.status),
    retire() {
      state.isRetired = true
    },
    keepPromises: (graceMs) => departure.keepPromises(graceMs),
    drain: (graceMs) => departure.drain(graceMs),
    leave: () => departure.leave(),
    async close() {
      stopHousekeeping()
      clientSide.stopHearing()
      departure.close()
      nodes.close()
      stopFollowing()
      await runner.close()
      messages.close()
      await services.stopHearing()
      for (const { id } of table.visiting()) sessions.leave(id, 'shutdown')
      departure.visiting.leave()
      await Promise.all([...table.homes()].map(({ id }) => sessions.end(id, 'shutdown')))
      await services.close()
      await upstream.close()
      clock.timetable.close()
    },
  }
}
