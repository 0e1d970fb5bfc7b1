import { setImmediate as turn } from 'node:timers/promises'
import type { Fabric, Log, UnreadableReporter } from '@junctor/contracts'
import type { Host } from '@junctor/exchange'
import { settlesWithin } from '@junctor/primitives'
import type { JobDesk } from './jobs/desk/job-desk.ts'
import { waitsForJob } from './jobs/record/waits-for-job.ts'
import type { JobRunner } from './jobs/run/job-runner.ts'
import type { PresentNodes } from './nodes/present-nodes.ts'
import type { Sessions } from './sessions/create-sessions.ts'
import type { FrameDeliveries } from './sessions/frames/frame-deliveries.ts'
import { drainSessions } from './sessions/handover/drain-sessions.ts'
import { createHandover } from './sessions/handover/handover.ts'
import type { AskTable } from './sessions/asks/ask-table.ts'
import { createAcceptedWork } from './sessions/handover/accepted-work.ts'
import type { SessionRecords } from './sessions/home/session-records.ts'
import type { SessionTable } from './sessions/session/session-table.ts'
import type { StreamTable } from './sessions/streams/stream-table.ts'
import type { WaitRefusal } from './sessions/handover/wait-refusal.ts'
import type { VisitingCalls, WaitingRequest } from './sessions/home/visiting-calls.ts'
import type { Clock } from './shared/clock.ts'
import type { ParkedRequests } from './stateless/parked-requests.ts'
import type { Upstream } from './upstream/upstream.ts'
import type { Deadlines } from './shared/deadlines.ts'
import { ResponseStream } from './front/requests/response-stream.ts'

/** What a node needs to leave. */
export interface NodeShutdownParts {
  readonly fabric: Fabric
  readonly host: Host
  readonly nodes: Pick<PresentNodes, 'gateways'>
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'move'>
  readonly streams: StreamTable
  readonly deliveries: FrameDeliveries
  readonly asks: Pick<AskTable, 'size'>
  readonly upstream: Pick<Upstream, 'subscriptions'>
  readonly sessions: Pick<Sessions, 'end'>
  readonly desk: Pick<JobDesk, 'refuseMore' | 'open'>
  readonly runner: JobRunner
  readonly stateless: { readonly parked: Pick<ParkedRequests, 'close' | 'waiting'>; endListening(): void }
  readonly visiting: VisitingCalls
  readonly waitRefusal: WaitRefusal
  readonly clock: Clock
  readonly log: Log
  readonly unreadable: UnreadableReporter
}

/** How a node leaves: it hands over or finishes what it has accepted, and ends its sessions. */
export interface NodeShutdown {
  /**
   * Hands over accepted requests that have no answer yet, with their sessions and jobs, to nodes that stay. When no
   * node stays, finishes them while clients can still connect. Waits for the answers of clients that only this node can
   * take. Resolves when nothing waits for this node, or after `graceMs` milliseconds.
   */
  finishAccepted(graceMs: number): Promise<void>
  /**
   * Ends the sessions that clients can reach through any node, each as soon as none of its work runs here. Resolves
   * when all of them and all jobs on this node have ended, or after `graceMs` milliseconds.
   */
  drain(graceMs: number): Promise<void>
  /**
   * Ends the open requests of clients, because the grace period is over: subscriptions with their answer, others with
   * the error `shutdown`.
   */
  leave(): Promise<void>
  /** Stops refusing requests. */
  close(): void
}

/** Creates the steps of a shutdown, none of them begun. */
export function createNodeShutdown(parts: NodeShutdownParts): NodeShutdown {
  const { table, deliveries, upstream, sessions, runner, clock, visiting, waitRefusal } = parts
  const gateways = (): readonly string[] => parts.nodes.gateways()
  const handover = createHandover({ ...parts, gateways, subscriptions: upstream.subscriptions })
  const acceptedWork = createAcceptedWork({ ...parts, parked: parts.stateless.parked, handover })
  const waiting = (): Iterable<WaitingRequest> => [
    ...[...openResponseStreams(clock.deadlines)].filter(({ view }) => waitsForJob(view.method)),
    ...visiting.waiting(),
  ]

  return {
    finishAccepted: (graceMs) => acceptedWork.finish(graceMs),
    async drain(graceMs) {
      const until = clock.now() + graceMs
      parts.stateless.endListening()
      waitRefusal.begin(waiting)
      const leaves = {
        table,
        visiting,
        clock,
        handOver: () => acceptedWork.handOver(Math.max(0, until - clock.now())),
        end: (id: string) => sessions.end(id, 'shutdown'),
      }
      await Promise.all([drainSessions(leaves, graceMs), settlesWithin(runner.drain(), graceMs)])
      await settlesWithin(deliveries.settled(), Math.max(0, until - clock.now()))
    },
    async leave() {
      // What was accepted may have taken all the time.
      parts.stateless.endListening()
      await turn()
      parts.stateless.parked.close()
      const open = [...openResponseStreams(clock.deadlines)]
      if (open.length > 0) {
        parts.log.warn('limits.grace is over: requests end with an error, without their answer', {
          requests: open.length,
        })
      }
      for (const response of open) response.leave()
    },
    close: () => waitRefusal.close(),
  }
}

/**
 * The response streams of requests that wait for their answer. Requests that are answered immediately are not among
 * them.
 */
function* openResponseStreams(deadlines: Pick<Deadlines, 'items'>): Generator<ResponseStream> {
  for (const item of deadlines.items()) if (item instanceof ResponseStream) yield item
}
