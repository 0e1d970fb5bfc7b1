import type { Log } from '@junctor/contracts'
import { settlesWithin } from '@junctor/primitives'
import type { Clock } from '../../shared/clock.ts'
import type { AskTable } from '../asks/ask-table.ts'
import type { FrameDeliveries } from '../frames/frame-deliveries.ts'
import type { JobDesk } from '../../jobs/desk/job-desk.ts'
import type { JobRunner } from '../../jobs/run/job-runner.ts'
import { pauseFor } from '../../shared/timeouts.ts'
import type { HomeSession } from '../session/home-session.ts'
import { type AwaitingHandoverParts, createAwaitingHandover } from './awaiting-handover.ts'

/** The tables with work that clients still wait for: jobs, frames to deliver, questions, parked requests. */
export interface AcceptedWorkParts extends Pick<AwaitingHandoverParts, 'handover' | 'table'> {
  readonly desk: Pick<JobDesk, 'refuseMore' | 'open'>
  readonly runner: Pick<JobRunner, 'drain' | 'isAtRest'>
  readonly deliveries: Pick<FrameDeliveries, 'settled' | 'leave'>
  readonly asks: Pick<AskTable, 'size'>
  /** `waiting`: the number of requests without a session that wait for answers of their clients. */
  readonly parked: { readonly waiting: number }
  readonly clock: Clock
  readonly log: Log
}

/** The requests that a node has accepted and must still answer when it leaves. */
export interface AcceptedWork {
  /**
   * Hands over the sessions that wait for answers to nodes that stay. Resolves with whether a node stays, after
   * `graceMs` milliseconds at the latest: another node or the storage may be slow.
   */
  handOver(graceMs: number): Promise<boolean>
  /**
   * The same, and waits until the clients have answered the questions of their requests. When no node stays, it runs the
   * queued jobs, and waits until the answers are read. Resolves when that is done, or after `graceMs` milliseconds; then it
   * logs what is left. When a node stays, it resolves earlier: new requests come for as long as clients can connect, and the
   * last of them need time to end.
   */
  finish(graceMs: number): Promise<void>
}

/** Interval between two checks, in milliseconds. */
const checkMs = 20
/**
 * A client whose stream was cut reconnects within this time, in milliseconds. The node does not wait for later ones.
 */
const comeBackMs = 2_000

/** The part of the grace period that requests in progress have after the node has closed, when another node stays. */
const partToEnd = 1 / 5

/** Creates the view of the work that this node has accepted. */
export function createAcceptedWork({
  handover,
  table,
  desk,
  runner,
  deliveries,
  asks,
  parked,
  clock,
  log,
}: AcceptedWorkParts): AcceptedWork {
  const handingOver = createAwaitingHandover({
    handover,
    table,
    clock,
    queried(hasSuccessor) {
      deliveries.leave(hasSuccessor)
      if (!hasSuccessor) return desk.refuseMore()
      void runner.drain()
    },
  })

  const handOver = async (graceMs: number): Promise<boolean> => {
    await settlesWithin(handingOver.handOver(), graceMs)
    return handingOver.hasSuccessor
  }

  return {
    handOver,
    async finish(graceMs) {
      let until = clock.now() + graceMs
      const untilClosed = until - graceMs * partToEnd
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- until it is done
        const hasSuccessor = await handOver(Math.max(0, until - clock.now()))
        if (hasSuccessor) until = untilClosed
        const isWaitedFor = (session: HomeSession): boolean => isRead(session, hasSuccessor, clock.now())
        // Another node accepts the answers of sessions, and continues what is parked here while this node is there.
        const isAnswered = parked.waiting === 0 && (hasSuccessor || asks.size === 0)
        const isDone = (hasSuccessor || runner.isAtRest) && isAnswered && !handingOver.sessions().some(isWaitedFor)
        if (isDone || clock.now() >= until) break
        // oxlint-disable-next-line no-await-in-loop
        await pauseFor(clock, checkMs)
      }
      await settlesWithin(deliveries.settled(), Math.max(0, until - clock.now()))
      const left = handingOver.sessions()
      const answers = left.reduce((count, { stream }) => count + (stream?.unread ?? 0), 0)
      const openJobs = handingOver.hasSuccessor ? 0 : desk.open
      if (answers + openJobs === 0) return
      const message =
        'This node leaves, and no other node has taken over what it accepted: unfinished jobs, unread answers'
      log.warn(message, { jobs: openJobs, answers, sessions: left.length })
    },
  }
}

/** Whether a client reads the session's answers, or may reconnect soon. When other nodes have its jobs, more may come. */
function isRead({ stream }: HomeSession, hasSuccessor: boolean, now: number): boolean {
  if (stream === undefined) return false
  const isFresh = now - stream.touched < comeBackMs
  return hasSuccessor ? isFresh : stream.unread > 0 && (stream.read || isFresh)
}
