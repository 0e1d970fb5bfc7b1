import { createCaught, type Front } from '@junctor/contracts'
import type { BackendStatus, TenantBackend } from './upstream/catalogue/backend-status.ts'
import { createAskTable } from './sessions/ask-table.ts'
import { Cancels } from './front/cancels.ts'
import { createClientMessages } from './front/client-messages.ts'
import { mcpProfile } from '@junctor/protocol'
import { createDeliveries } from './sessions/deliveries.ts'
import { createFront } from './front/create-front.ts'
import type { DispatchParts } from './front/dispatch.ts'
import { createDeferredAnswers } from './front/deferred.ts'
import { onSessionControl } from './front/on-session-control.ts'
import { createRootsChanges, tellRootsChanged } from './front/roots-changes.ts'
import { serviceNames } from './nodes/service-names.ts'
import { createSessionOutlet } from './sessions/session-outlet.ts'
import { createSharedPostbox } from './front/shared-postbox.ts'
import { homeHandler, type FindCaller } from './front/home-handler.ts'
import { resumeHandler } from './front/resume-handler.ts'
import { createJobs } from './create-jobs.ts'
import { createDeparture } from './departure.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { startHousekeeping } from './shared/housekeeping.ts'
import { limitsWith } from './shared/limits.ts'
import { longestCall } from './upstream/links/longest-call.ts'
import { hearControls } from './nodes/hear-controls.ts'
import { createRouter } from './router/router.ts'
import { createSessions } from './sessions/create-sessions.ts'
import { watchNodes } from './nodes/present-nodes.ts'
import { createHost } from './sessions/create-host.ts'
import { createSessionPlaces } from './sessions/session-places.ts'
import { SessionTable } from './sessions/session-table.ts'
import { createHomeCalls } from './sessions/home-calls.ts'
import { serveAdoption } from './sessions/adopt-sessions.ts'
import { createOwedAnswers } from './sessions/owed-answers.ts'
import { createUpstream } from './upstream/upstream.ts'
import { whenChecked } from './sessions/when-checked.ts'
import { createSessionlessCallers } from './sessions/sessionless-callers.ts'
import type { HomeSession } from './sessions/home-session.ts'
import { createStreamTable } from './sessions/streams/stream-table.ts'
import type { TenantEntry } from './shared/tenant-entry.ts'
import { readings, type GatewayReadings } from './readings.ts'
import { takeOver } from './take-over.ts'
import { createTimetable } from './shared/timetable.ts'
import { createTraces } from './shared/trace-parent.ts'

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

/** How often old things are looked for, in milliseconds: often enough that bounds of minutes hold to a second. */
const housekeepingMs = 1_000

/** How long nodes that are back have to write again what storage has lost, in milliseconds. */
const writtenAgainMs = 3_000

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { fabric, log, tell } = options
  const { now } = fabric
  const caught = createCaught(log, tell)
  const limits = limitsWith(options.limits)
  const clock = { now, timetable: createTimetable(now, caught) }
  const tenants = new Map(options.tenants.map((tenant) => [tenant.tenant.name, tenant]))
  let longestCallMs = longestCall(options.tenants)

  let ids = 0
  const nextId = (): string => `${fabric.node}-${(ids++).toString(36)}`
  const streams = createStreamTable(fabric.node, limits, now, {
    dropped: (count) => tell({ kind: 'notification_dropped', reason: 'overflow', count }),
    // Of the transports, only this one has readers that can come back.
    overflowed: () => tell({ kind: 'stream_overflowed', transport: 'http' }),
  })
  const asks = createAskTable(clock)
  const table = new SessionTable(fabric.node, now)
  const homeCalls = createHomeCalls(fabric)
  const host = createHost({ nextId, now, asks, table, askTimeoutMs: limits.askTimeoutMs, tell, caught })
  const nodes = watchNodes(fabric, caught)
  const isThere = (node: string): Promise<boolean> => nodes.isThere(node)
  const idleMs = limits.sessionIdleMs
  const { records, search, finder } = createSessionPlaces({ fabric, host, nodes, table, idleMs, log })
  const outlet = createSessionOutlet(streams, asks, nextId, limits.askTimeoutMs)
  const upstream = createUpstream({ fabric, tenants, callers: table, limits, clock, log, tell, caught })
  const deliveries = createDeliveries({ fabric, host, isThere }, { table, finder }, streams)
  const jobs = createJobs({
    fabric,
    host,
    isThere,
    deliveries,
    finder,
    profileOf: (tenant) => tenants.get(tenant)?.tenant.profile ?? mcpProfile,
    clock,
    limits,
    log,
    tell,
    longestCallMs: () => longestCallMs,
  })
  const route = createRouter({
    ...upstream,
    tell,
    jobs: jobs.desk,
    limits,
    node: fabric.node,
  })
  let isRetired = false
  const sessionless = createSessionlessCallers(tenants, upstream, limits, clock)
  const find: FindCaller = (context) =>
    context.session === undefined ? sessionless.of(context) : table.home(context.session)
  const answer = homeHandler(find, table, homeCalls, route, tell, now)
  const runner = jobs.run(answer)
  let backAt = -Infinity
  const sessions = createSessions({
    fabric,
    table,
    records,
    finder,
    streams,
    asks,
    upstream,
    endJobs: (id) => jobs.desk.endSession(id),
    idleMs,
    isRecentlyBack: () => now() - backAt < writtenAgainMs,
    clock,
    log,
    tell,
    caught,
  })
  const roots = createRootsChanges(limits.listChangedMs, clock, tellRootsChanged)
  const cancels = new Cancels({ fabric, jobs: jobs.desk, log })

  const home = (id: string): HomeSession | undefined => table.home(id)
  const messages = createClientMessages({ fabric, host, isThere, asks, home, roots, cancels })
  nodes.onLeft((left) => {
    sessions.homeLeft(left)
    deliveries.lost(left)
    messages.lost(left)
  })
  const urlOf = (tenant: string): string => `${options.publicUrl ?? ''}/mcp/${tenant}/jobs`
  const dispatching: DispatchParts = {
    node: fabric.node,
    host,
    clock,
    limits,
    log,
    tell,
    caught,
    answer,
    homeCalls,
    startTrace: createTraces(),
    longestCallMs: () => longestCallMs,
    streams,
    timetable: clock.timetable,
  }

  const owed = createOwedAnswers({ fabric, host, table })
  const shared = createSharedPostbox({ fabric, host, clock, sessionless, tenant: (name) => tenants.get(name)?.tenant })
  const front = createFront({
    fabric,
    isThere,
    authenticate: options.authenticate,
    profile: options.profile ?? (() => mcpProfile),
    postbox: shared.postbox,
    table,
    directory: sessions.directory,
    sessionless,
    messages,
    cancels,
    opening: {
      info: options.info,
      isRetired: () => isRetired,
      tenants,
      table,
      records,
      outlet,
      upstream,
    },
    dispatching,
    jobs: jobs.desk,
    deferred: createDeferredAnswers({
      ...dispatching,
      jobs: jobs.desk,
      deliveries,
      owe: (session) => owed.owe(session),
      urlOf,
    }),
    endSession: (id, reason) => sessions.end(id, reason),
  })

  const departure = createDeparture({
    fabric,
    host,
    nodes,
    table,
    records,
    streams,
    deliveries,
    upstream,
    sessions,
    desk: jobs.desk,
    runner,
    answer,
    clock,
    log,
    caught,
  })
  const { visiting } = departure
  const resume = resumeHandler(fabric, table, streams)
  const services = await Promise.all([
    jobs.desk.serve(),
    deliveries.serve(),
    messages.serve(),
    shared.serve(),
    owed.serve(),
    serveAdoption({
      fabric,
      clock,
      limits,
      tenants,
      isRetired: () => isRetired,
      table,
      deliveries,
      streams,
      outlet,
      upstream,
    }),
    search.serve(),
    fabric.serve(serviceNames.session, visiting.handler),
    fabric.serve(serviceNames.resume, whenChecked(sessions.keeper, resume)),
  ])
  const onSession = onSessionControl({
    cancels,
    table,
    end: (id) => sessions.endQuietly(id),
    leave: (id) => sessions.leave(id),
  })
  const controls = hearControls(fabric, [onSession, (control) => jobs.desk.control(control)], caught)

  const stopFollowing = upstream.follow()

  // At once: others may have said that its sessions are gone, and clients come before the next look.
  const stopHearing = fabric.onBack(() => {
    backAt = now()
    sessions.keeper.wasAway()
  })
  const noticeLoss = (): void => {
    if (!fabric.readings().connected) table.cutOff()
  }
  const stopHousekeeping = startHousekeeping(
    [
      noticeLoss,
      () => streams.sweep(),
      () => upstream.sweep(),
      () => sessionless.sweep(),
      () => runner.sweep(),
      () => jobs.desk.sweep(),
      () => {
        const waiting = jobs.desk.waitingSessions()
        const isWaiting = (id: string): boolean => waiting.has(id) || visiting.has(id)
        sessions.sweep(isWaiting)
      },
      () => upstream.status.retry(),
    ],
    housekeepingMs,
    caught,
  )

  return {
    front,
    status: () => upstream.status.all(),
    async backendsOf(name) {
      const tenant = tenants.get(name)
      return tenant === undefined ? [] : upstream.status.of(tenant)
    },
    async update(next) {
      longestCallMs = longestCall([...tenants.values(), ...next])
      await takeOver({ tenants, table, upstream, end: (id, why) => sessions.end(id, 'session_ended', why) }, next)
      longestCallMs = longestCall(next)
    },
    readings: () => readings(table, streams, upstream.status),
    retire() {
      isRetired = true
    },
    keepPromises: (graceMs) => departure.keepPromises(graceMs),
    drain: (graceMs) => departure.drain(graceMs),
    leave: () => departure.leave(),
    async close() {
      stopHousekeeping()
      stopHearing()
      departure.close()
      nodes.close()
      stopFollowing()
      await runner.close()
      messages.close()
      await controls.close()
      for (const { id } of table.visiting()) sessions.leave(id, 'shutdown')
      visiting.leave()
      await Promise.all([...table.homes()].map((session) => sessions.end(session.id, 'shutdown')))
      await Promise.all(services.flat().map((service) => service.close()))
      await upstream.close()
      clock.timetable.close()
    },
  }
}
