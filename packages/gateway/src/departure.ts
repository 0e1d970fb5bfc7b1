import type { Caught, Fabric, Log } from '@junctor/contracts'
import type { Handler, Host } from '@junctor/exchange'
import { within } from '@junctor/primitives'
import { openResponseStreams } from './front/open-response-streams.ts'
import type { JobDesk } from './jobs/job-desk.ts'
import type { JobRunner } from './jobs/job-runner.ts'
import type { PresentNodes } from './nodes/present-nodes.ts'
import type { Sessions } from './sessions/create-sessions.ts'
import type { Deliveries } from './sessions/deliveries.ts'
import { drainSessions } from './sessions/drain-sessions.ts'
import { createHandOn } from './sessions/hand-on.ts'
import { createPromises } from './sessions/keep-promises.ts'
import type { SessionRecords } from './sessions/session-records.ts'
import type { SessionTable } from './sessions/session-table.ts'
import type { StreamTable } from './sessions/streams/stream-table.ts'
import { createTurnAway, type WaitingRequest } from './sessions/turn-away.ts'
import type { VisitingCalls } from './sessions/visiting-calls.ts'
import { watchVisitingCalls } from './sessions/visiting-calls.ts'
import { whenChecked } from './sessions/when-checked.ts'
import type { Clock } from './shared/clock.ts'
import type { Upstream } from './upstream/upstream.ts'

/** What a node that leaves has to see to. */
export interface DepartureParts {
  readonly fabric: Fabric
  readonly host: Host
  readonly nodes: Pick<PresentNodes, 'gateways'>
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'move'>
  readonly streams: StreamTable
  readonly deliveries: Deliveries
  readonly upstream: Pick<Upstream, 'subscriptions'>
  readonly sessions: Pick<Sessions, 'keeper' | 'end'>
  readonly desk: Pick<JobDesk, 'refuseMore' | 'open'>
  readonly runner: JobRunner
  /** Answers requests of sessions at home here. */
  readonly answer: Handler
  readonly clock: Clock
  readonly log: Log
  readonly caught: Caught
}

/** How a node leaves: what it has accepted is handed on or finished, and its sessions end. */
export interface Departure {
  /** The calls of sessions at home here that other nodes make. */
  readonly visiting: VisitingCalls
  /**
   * Hands on what was accepted here and is not answered yet, or finishes it where nobody stays. Resolves when nothing waits
   * for this node, or after this many milliseconds.
   */
  keepPromises(graceMs: number): Promise<void>
  /** Ends the sessions that clients may reach by any node. Resolves when all have ended, or after this many milliseconds. */
  drain(graceMs: number): Promise<void>
  /** Ends the requests of clients that are under way: they have been waited for long enough. */
  leave(): void
  /** Turns nothing away any more. */
  close(): void
}

export function createDeparture(parts: DepartureParts): Departure {
  const { table, deliveries, upstream, sessions, runner, answer, clock, caught } = parts
  const gateways = (): readonly string[] => parts.nodes.gateways()
  const handing = createHandOn({ ...parts, gateways, subscriptions: upstream.subscriptions })
  const promises = createPromises({ ...parts, handing })
  const turnAway = createTurnAway({
    isAtWork: (id = '') => runner.isRunning || table.peek(id)?.jobsDone() !== undefined,
    caught,
  })
  const visiting = watchVisitingCalls(whenChecked(sessions.keeper, answer), (id) => turnAway.refuses(id))
  const waiting = (): Iterable<WaitingRequest> => [
    ...[...openResponseStreams(clock.timetable)].filter(({ onlyWaits }) => onlyWaits),
    ...visiting.waiting(),
  ]

  return {
    visiting,
    keepPromises: (graceMs) => promises.keep(graceMs),
    async drain(graceMs) {
      const until = clock.now() + graceMs
      turnAway.begin(waiting)
      const leaves = {
        table,
        visiting,
        clock,
        handOn: () => promises.handOn(Math.max(0, until - clock.now())),
        end: (id: string) => sessions.end(id, 'shutdown'),
      }
      await Promise.all([drainSessions(leaves, graceMs), within(runner.drain(), graceMs)])
      await within(deliveries.settled(), Math.max(0, until - clock.now()))
    },
    leave() {
      for (const response of openResponseStreams(clock.timetable)) response.leave()
    },
    close: () => turnAway.close(),
  }
}
