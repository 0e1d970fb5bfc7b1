import type { Clock } from '../../shared/clock.ts'
import type { Handover } from './handover.ts'
import type { HomeSession } from '../session/home-session.ts'

/** Interval between two queries for the nodes that stay, in milliseconds. */
const askMs = 500

/** Sessions that are handed over at the same time. */
const atOnce = 64

/** What handing over needs: the sessions of this node, and the way to another node. */
export interface AwaitingHandoverParts {
  readonly handover: Pick<Handover, 'successors' | 'handOver'>
  readonly table: { homes(): Iterable<HomeSession> }
  readonly clock: Clock
  /** Called after each query, with whether any other node stays. */
  readonly queried: (hasSuccessor: boolean) => void
}

/** Hands over the sessions that wait for answers, from a node that leaves to nodes that stay. */
export interface AwaitingHandover {
  /** Whether another node stayed at the last query. */
  readonly hasSuccessor: boolean
  /** The sessions that wait for answers and still have this node as their home. */
  sessions(): readonly HomeSession[]
  /** Hands them over to the nodes that stay. Resolves when each was adopted, or was refused by all nodes for now. */
  handOver(): Promise<void>
}

/** Creates the hand-over of the sessions of this node that wait for answers. */
export function createAwaitingHandover({ handover, table, clock, queried }: AwaitingHandoverParts): AwaitingHandover {
  let successors: readonly string[] = []
  let askedAt = -Infinity
  /** The sessions that no node adopted since the last query. */
  const refused = new Set<HomeSession>()

  /** Only sessions over HTTP can continue on another node; the others are bound to their connection. */
  const sessions = (): readonly HomeSession[] =>
    [...table.homes()].filter(({ transport, awaitsAnswers }) => transport === 'http' && awaitsAnswers)

  const querySuccessors = async (): Promise<void> => {
    if (clock.now() - askedAt < askMs) return
    successors = await handover.successors()
    refused.clear()
    askedAt = clock.now()
    queried(successors.length > 0)
  }

  const handOverOne = async (session: HomeSession, index: number): Promise<void> => {
    // Each session starts with another node, so that they are spread evenly.
    const at = index % successors.length
    const order = [...successors.slice(at), ...successors.slice(0, at)]
    if (!(await handover.handOver(session, order))) refused.add(session)
  }

  const handOverAll = async (): Promise<void> => {
    await querySuccessors()
    if (successors.length === 0) return
    const left = sessions().filter((session) => !refused.has(session))
    for (let at = 0; at < left.length; at += atOnce) {
      const some = left.slice(at, at + atOnce)
      // oxlint-disable-next-line no-await-in-loop -- at most this many at the same time
      await Promise.all(some.map((session, index) => handOverOne(session, at + index)))
    }
  }

  /** A caller may give up while sessions are handed over. */
  let running: Promise<void> | undefined

  return {
    get hasSuccessor() {
      return successors.length > 0
    },
    sessions,
    handOver() {
      running ??= handOverAll().finally(() => (running = undefined))
      return running
    },
  }
}
