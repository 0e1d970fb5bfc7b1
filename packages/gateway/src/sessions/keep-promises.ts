import type { Log } from '@junctor/contracts'
import { within } from '@junctor/primitives'
import type { Clock } from '../shared/clock.ts'
import type { Deliveries } from './deliveries.ts'
import type { JobDesk } from '../jobs/job-desk.ts'
import type { JobRunner } from '../jobs/job-runner.ts'
import { waitAtMost } from '../shared/patience.ts'
import type { HomeSession } from './home-session.ts'
import type { OwedHandOnParts } from './owed-hand-on.ts'
import { createOwedHandOn } from './owed-hand-on.ts'

export interface PromiseParts extends Pick<OwedHandOnParts, 'handing' | 'table'> {
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
/** A client whose stream was cut is back within this time, in milliseconds. Nobody waits for one that is not. */
const comeBackMs = 2_000

export function createPromises({ handing, table, desk, runner, deliveries, clock, log }: PromiseParts): Promises {
  const owing = createOwedHandOn({
    handing,
    table,
    clock,
    asked(isAnybodyThere) {
      if (!isAnybodyThere) return desk.refuseMore()
      deliveries.leave()
      void runner.drain()
    },
  })

  /** Somebody reads its answers, or may be about to; where others have its jobs, more may come. */
  const isWaitedFor = ({ stream }: HomeSession): boolean => {
    if (stream === undefined) return false
    const isFresh = clock.now() - stream.touched < comeBackMs
    return owing.stays ? isFresh : stream.unread > 0 && (stream.read || isFresh)
  }

  const handOn = async (graceMs: number): Promise<boolean> => {
    await within(owing.handOn(), graceMs)
    return owing.stays
  }

  return {
    handOn,
    async keep(graceMs) {
      const until = clock.now() + graceMs
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- until it is done
        const stays = await handOn(Math.max(0, until - clock.now()))
        const isDone = (stays || runner.isAtRest) && !owing.sessions().some(isWaitedFor)
        if (isDone || clock.now() >= until) break
        // oxlint-disable-next-line no-await-in-loop
        await waitAtMost(clock, lookMs, new Promise(() => {}))
      }
      await within(deliveries.settled(), Math.max(0, until - clock.now()))
      const owed = owing.sessions()
      const answers = owed.reduce((count, { stream }) => count + (stream?.unread ?? 0), 0)
      const left = owing.stays ? 0 : desk.open
      if (answers + left === 0) return
      const message =
        'This node leaves, and nobody has taken what was accepted: jobs that are not over, answers that nobody has read'
      log.warn(message, { jobs: left, answers, sessions: owed.length })
    },
  }
}
