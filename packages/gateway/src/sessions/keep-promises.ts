import type { Log } from '@junctor/contracts'
import { within } from '@junctor/primitives'
import type { Clock } from '../shared/clock.ts'
import type { Deliveries } from './deliveries.ts'
import type { JobDesk } from '../jobs/job-desk.ts'
import type { JobRunner } from '../jobs/job-runner.ts'
import { waitAtMost } from '../shared/patience.ts'
import type { HandOn } from './hand-on.ts'
import type { HomeSession } from './home-session.ts'

export interface PromiseParts {
  readonly handing: Pick<HandOn, 'successors' | 'handOn'>
  readonly table: { homes(): Iterable<HomeSession> }
  readonly desk: Pick<JobDesk, 'refuseMore' | 'open'>
  readonly runner: Pick<JobRunner, 'drain' | 'isAtRest'>
  readonly deliveries: Pick<Deliveries, 'settled' | 'leave'>
  readonly clock: Clock
  readonly log: Log
}

/** What a node that leaves does about what it has accepted. */
export interface Promises {
  /**
   * Hands on what it is owed here, to whoever stays. Resolves with whether somebody stays, after this many milliseconds at
   * the latest: another node may be slow to take, and storage slow to learn of it.
   */
  handOn(graceMs: number): Promise<boolean>
  /**
   * The same, and where nobody stays finishes it: runs what is queued, and waits for the answers to be read. Resolves when
   * that is done, or after this many milliseconds; then it says in the log what is left.
   */
  keep(graceMs: number): Promise<void>
}

/** How often it is looked, in milliseconds. */
const lookMs = 20
/** How often it is asked who stays, in milliseconds. */
const askMs = 500
/** Sessions that are handed on at once. */
const atOnce = 64
/** A client whose stream was cut is back within this time, in milliseconds. Nobody waits for one that is not. */
const comeBackMs = 2_000

export function createPromises({ handing, table, desk, runner, deliveries, clock, log }: PromiseParts): Promises {
  let successors: readonly string[] = []
  let askedAt = -Infinity
  /** Those that nobody took since then. */
  const refused = new Set<HomeSession>()

  /** Those over HTTP can be reached at other nodes; the others are their connections. */
  const owed = (): readonly HomeSession[] =>
    [...table.homes()].filter(({ transport, isOwed }) => transport === 'http' && isOwed)

  const lookAround = async (): Promise<void> => {
    if (clock.now() - askedAt < askMs) return
    successors = await handing.successors()
    refused.clear()
    askedAt = clock.now()
    if (successors.length === 0) return desk.refuseMore()
    deliveries.leave()
    void runner.drain()
  }

  const handAllOn = async (sessions: readonly HomeSession[]): Promise<void> => {
    for (let at = 0; at < sessions.length; at += atOnce) {
      const some = sessions.slice(at, at + atOnce)
      // Each begins with another one, so that nobody gets them all.
      // oxlint-disable-next-line no-await-in-loop -- so many at once
      await Promise.all(
        some.map(async (session, index) => {
          if (!(await handing.handOn(session, rotated(successors, at + index)))) refused.add(session)
        }),
      )
    }
  }

  /** Somebody reads its answers, or may be about to; where others have its jobs, more may come. */
  const isWaitedFor = ({ stream }: HomeSession): boolean => {
    if (stream === undefined) return false
    const isFresh = clock.now() - stream.touched < comeBackMs
    return successors.length > 0 ? isFresh : stream.unread > 0 && (stream.read || isFresh)
  }

  const handOwed = async (): Promise<void> => {
    await lookAround()
    if (successors.length > 0) await handAllOn(owed().filter((session) => !refused.has(session)))
  }

  const handOn = async (graceMs: number): Promise<boolean> => {
    await within(handOwed(), graceMs)
    return successors.length > 0
  }

  return {
    handOn,
    async keep(graceMs) {
      const until = clock.now() + graceMs
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- until it is done
        const stays = await handOn(Math.max(0, until - clock.now()))
        const isDone = (stays || runner.isAtRest) && !owed().some(isWaitedFor)
        if (isDone || clock.now() >= until) break
        // oxlint-disable-next-line no-await-in-loop
        await waitAtMost(clock, lookMs, new Promise(() => {}))
      }
      await within(deliveries.settled(), Math.max(0, until - clock.now()))
      const answers = owed().reduce((count, { stream }) => count + (stream?.unread ?? 0), 0)
      const left = successors.length === 0 ? desk.open : 0
      if (answers + left === 0) return
      const message =
        'This node leaves, and nobody has taken what was accepted: jobs that are not over, answers that nobody has read'
      log.warn(message, { jobs: left, answers, sessions: owed().length })
    },
  }
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}
