import type { Log } from '@junctor/contracts'
import type { HomeSearch } from './home-search.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionTable } from '../session/session-table.ts'

/** What knows the home of a session: the table of this node, the stored records, and other nodes. */
export interface HomeFinderParts {
  readonly table: Pick<SessionTable, 'served' | 'visiting' | 'setHome' | 'drop'>
  readonly records: Pick<SessionRecords, 'read'>
  readonly search: Pick<HomeSearch, 'find'>
  /** Whether a node is present. A session ends with its home node, also when that node died without a message. */
  readonly isPresent: (node: string) => Promise<boolean>
  readonly log: Log
}

/** Finds the home nodes of sessions, also after a node has left. */
export interface HomeFinder {
  /** The current home of a session whose record, or last known home, names this node. `undefined`: it has none. */
  homeNow(id: string, named: string): Promise<string | undefined>
  /**
   * The home of a session as this node knows it, else as its record says.
   *
   * @param last the home of the session when the caller learned of it
   */
  homeOf(id: string, last: string): string | Promise<string>
  /**
   * A node has left: searches for the new homes of the sessions that visited from there, and forgets those without a
   * home, because they have ended. Never rejects.
   *
   * @param forget ends the state of one session on this node
   */
  follow(node: string, forget: (id: string) => void): Promise<void>
  /** The running search for the sessions of this home node. `undefined`: no search is running. */
  following(home: string): Promise<void> | undefined
}

/** Creates the finder of one node. */
export function createHomeFinder({ table, records, search, isPresent, log }: HomeFinderParts): HomeFinder {
  /** Running searches, by the node that has left. */
  const following = new Map<string, Promise<void>>()

  const homeNow = async (id: string, named: string): Promise<string | undefined> =>
    (await isPresent(named)) ? named : (await search.find([id], named)).get(id)

  /**
   * Uses the record alone. Many jobs ask at the same time, and a node that was killed a moment ago would delay each of
   * them.
   * When the record is old, the home writes it again as soon as it can, and the delivery of the answer is tried again.
   */
  const homeInRecord = async (id: string, last: string): Promise<string> => {
    if (await isPresent(last)) return last
    const stored = await records.read(id)
    return stored === undefined || stored === 'ended' ? last : stored.value.home
  }

  const searchFor = async (ids: readonly string[], node: string): Promise<ReadonlyMap<string, string> | undefined> => {
    try {
      return await search.find(ids, node)
    } catch (error) {
      log.warn('the new homes of the sessions of a node that left are unknown', { error })
      return undefined
    }
  }

  const follow = async (node: string, forget: (id: string) => void): Promise<void> => {
    const left = [...table.visiting()].filter(({ home }) => home === node)
    if (left.length === 0) return
    const ids = left.map(({ id }) => id)
    const found = await searchFor(ids, node)
    for (const session of left) {
      const { id, home } = session
      // The session has ended meanwhile, or its home is known already.
      if (table.served(id) !== session || home !== node) continue
      const next = found?.get(id)
      if (next !== undefined) table.setHome(id, next)
      else if (found !== undefined) forget(id)
      // Unknown now: the next request of the session searches for its home.
      else table.drop(id)
    }
  }

  return {
    homeNow,
    homeOf: (id, last) => table.served(id)?.home ?? homeInRecord(id, last),
    async follow(node, forget) {
      const work = follow(node, forget)
      following.set(node, work)
      await work
      following.delete(node)
    },
    following: (home) => following.get(home),
  }
}
