import type { Log } from '@junctor/contracts'
import type { HomeSearch } from './home-search.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionTable } from './session-table.ts'

export interface HomeFinderParts {
  readonly table: Pick<SessionTable, 'served' | 'visiting' | 'moved' | 'drop'>
  readonly records: Pick<SessionRecords, 'read'>
  readonly search: Pick<HomeSearch, 'find'>
  /** Whether a node is there: a session ends with its home, also when that went without a word. */
  readonly isThere: (node: string) => Promise<boolean>
  readonly log: Log
}

/** Where sessions are at home, also after a node has left. */
export interface HomeFinder {
  /** Where a session is at home whose record, or whoever knew it last, names this node. `undefined`: nowhere. */
  homeNow(id: string, named: string): Promise<string | undefined>
  /**
   * Where a session is at home, as far as this node knows, or else by its record.
   *
   * @param last where it was at home when the caller learned of it
   */
  homeOf(id: string, last: string): string | Promise<string>
  /**
   * A node has left: finds out where the sessions have gone that visited from there, and forgets those that have no home
   * any more, for they have ended. Never rejects.
   *
   * @param forget ends what this node holds of one
   */
  follow(node: string, forget: (id: string) => void): Promise<void>
  /** What finds out where the sessions of this home have gone; `undefined`: nothing is under way. */
  following(home: string): Promise<void> | undefined
}

export function createHomeFinder({ table, records, search, isThere, log }: HomeFinderParts): HomeFinder {
  /** By node that has left. */
  const following = new Map<string, Promise<void>>()

  const homeNow = async (id: string, named: string): Promise<string | undefined> =>
    (await isThere(named)) ? named : (await search.find([id], named)).get(id)

  /**
   * By the record alone: jobs ask, many at once, and a node that was killed a moment ago would keep each of them waiting.
   * Where the record is old, the home writes it again as soon as it can, and who brings an answer tries again.
   */
  const look = async (id: string, last: string): Promise<string> => {
    if (await isThere(last)) return last
    const stored = await records.read(id)
    return stored === undefined || stored === 'ended' ? last : stored.value.home
  }

  const searchFor = async (ids: readonly string[], node: string): Promise<ReadonlyMap<string, string> | undefined> => {
    try {
      return await search.find(ids, node)
    } catch (error) {
      log.warn('It is not known where the sessions of a node have gone that has left', { error })
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
      // It has ended meanwhile, or it is known by now where it is.
      if (table.served(id) !== session || home !== node) continue
      const next = found?.get(id)
      if (next !== undefined) table.moved(id, next)
      else if (found !== undefined) forget(id)
      // The next request of it may find out.
      else table.drop(id)
    }
  }

  return {
    homeNow,
    homeOf: (id, last) => table.served(id)?.home ?? look(id, last),
    async follow(node, forget) {
      const work = follow(node, forget)
      following.set(node, work)
      await work
      following.delete(node)
    },
    following: (home) => following.get(home),
  }
}
