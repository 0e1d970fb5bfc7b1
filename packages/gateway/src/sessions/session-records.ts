import type { Fabric, Store, Stored } from '@junctor/contracts'
import type { Extensions } from '@junctor/protocol'
import type { HomeSession } from './home-session.ts'
import type { HomeStanding } from './home-standing.ts'
import { homeStanding } from './home-standing.ts'
import type { EndedRecord, SessionRecord } from './session-record.ts'
import { endedRecord, readSessionRecord, toSessionRecord } from './session-record.ts'

type AnyRecord = SessionRecord | EndedRecord

/** What all nodes can read of sessions, in the storage of the cluster. Each of these rejects while that cannot be used. */
export interface SessionRecords {
  /** `ended`: somebody has said so. `undefined`: there is no record. */
  read(id: string): Promise<Stored<SessionRecord> | 'ended' | undefined>
  /** Writes the record of a session that has just been opened here. */
  create(session: HomeSession): Promise<void>
  /**
   * What a session at home here is. Writes its record again when that was lost, or when it is due.
   *
   * @param writtenAt epoch milliseconds when its record was last known to be there
   */
  confirm(session: HomeSession, writtenAt: number, isDue: boolean): Promise<HomeStanding>
  /** Writes where a session is at home that this node has handed on. False: it has ended. */
  move(session: HomeSession, home: string, moves: number): Promise<boolean>
  /** Writes what a session has agreed on that is at home elsewhere. */
  agree(id: string, extensions: Extensions): Promise<void>
  /**
   * Writes that a session has ended of which its home may not know. It is written, not deleted: a home that finds no record
   * takes it for lost. False: somebody has written since that revision.
   *
   * @param revision of the record that was read; undefined: whatever there is
   */
  end(id: string, revision?: number): Promise<boolean>
  /**
   * Makes known that a session has ended at its home, this node. What was handed on, or tried to be, may have been taken by a
   * node that nobody knows of: that has to read that it ended. Leaves the record alone when a later home has the session.
   */
  over(session: HomeSession): Promise<void>
}

/**
 * @param now epoch milliseconds
 * @param ttlMs how long a record is kept, in milliseconds
 */
export function createSessionRecords(
  fabric: Pick<Fabric, 'node' | 'store'>,
  now: () => number,
  ttlMs: number,
): SessionRecords {
  const { node } = fabric
  const store: Store<AnyRecord> = fabric.store('sessions', ttlMs)

  return {
    async read(id) {
      const stored = await store.get(id)
      if (stored === undefined) return undefined
      const value = readSessionRecord(stored.value)
      return value === undefined ? 'ended' : { value, revision: stored.revision }
    },
    async create({ id, context, moves }) {
      await store.put(id, toSessionRecord(node, context, moves))
    },
    async confirm(session, writtenAt, isDue) {
      let standing: HomeStanding = 'recorded'
      await change(store, session.id, (found) => {
        const { moves, context } = session
        standing = homeStanding(found, node, moves, now() - writtenAt < ttlMs)
        const isToWrite = standing === 'unrecorded' || (standing === 'recorded' && isDue)
        return isToWrite ? toSessionRecord(node, context, moves) : undefined
      })
      return standing
    },
    async move({ id, context }, home, moves) {
      let isThere = true
      await change(store, id, (found) => {
        const record = readSessionRecord(found)
        isThere = found === undefined || record !== undefined
        // Its next home may have handed it on already, and said so.
        const isOld = record === undefined || record.moves < moves
        return isThere && isOld ? toSessionRecord(home, context, moves) : undefined
      })
      return isThere
    },
    agree: (id, extensions) =>
      change(store, id, (found) => {
        const record = readSessionRecord(found)
        return record === undefined ? undefined : { ...record, extensions }
      }),
    async end(id, revision) {
      return (await store.put(id, endedRecord, revision)) !== 'conflict'
    },
    async over({ id, moves }) {
      if (moves === 0) return store.delete(id)
      await change(store, id, (found) =>
        homeStanding(found, node, moves, true) === 'elsewhere' ? undefined : endedRecord,
      )
    },
  }
}

/** Reads, and writes what comes of it, until nobody else has written between. `undefined`: nothing is to be written. */
async function change(
  store: Store<AnyRecord>,
  id: string,
  decide: (found: AnyRecord | undefined) => AnyRecord | undefined,
): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until nobody else writes
    const stored = await store.get(id)
    const next = decide(stored?.value)
    if (next === undefined) return
    // oxlint-disable-next-line no-await-in-loop
    if ((await store.put(id, next, stored?.revision ?? 0)) !== 'conflict') return
  }
}
