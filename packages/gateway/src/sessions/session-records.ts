import type { Fabric, Store, Stored } from '@junctor/contracts'
import type { Extensions } from '@junctor/protocol'
import { sessionMark } from '../shared/session-mark.ts'
import type { Unreadable } from '../shared/unreadable.ts'
import type { HomeSession } from './home-session.ts'
import type { HomeStanding } from './home-standing.ts'
import { homeStanding } from './home-standing.ts'
import type { EndedRecord, SessionRecord } from './session-record.ts'
import { endedRecord, isEndedRecord, readSessionRecord, toSessionRecord } from './session-record.ts'

type AnyRecord = SessionRecord | EndedRecord

/**
 * The records of sessions in the storage of the cluster, which all nodes can read. Every method rejects while the
 * storage is not available.
 */
export interface SessionRecords {
  /** `ended`: a node has recorded the end of the session. `undefined`: there is no record. */
  read(id: string): Promise<Stored<SessionRecord> | 'ended' | undefined>
  /** Writes the record of a session that was just opened on this node. */
  create(session: HomeSession): Promise<void>
  /**
   * Compares the record with a session whose home is this node. Writes the record again when it was lost or is due.
   *
   * @param writtenAt epoch milliseconds when the record was last known to exist
   */
  confirm(session: HomeSession, writtenAt: number, isDue: boolean): Promise<HomeStanding>
  /** Writes the new home of a session that this node has handed over. Returns false when the session has ended. */
  move(session: HomeSession, home: string, moves: number): Promise<boolean>
  /** Writes the extensions of a session whose home is another node. */
  agree(id: string, extensions: Extensions): Promise<void>
  /**
   * Records that a session has ended whose home node may not know. Writes an `ended` record instead of deleting the
   * record, because a home that finds no record treats it as lost. Returns false when another node wrote the record
   * after that revision.
   *
   * @param revision of the record that was read; undefined: overwrite any record
   */
  end(id: string, revision?: number): Promise<boolean>
  /**
   * Records that a session has ended on its home, this node. If a hand-over was tried, an unknown node may have adopted
   * the session; that node must be able to read the end. Does not change the record when a later home has the session.
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
  unreadable: Unreadable,
): SessionRecords {
  const { node } = fabric
  const store: Store<AnyRecord> = fabric.store('sessions', ttlMs)

  return {
    async read(id) {
      const stored = await store.get(id)
      if (stored === undefined) return undefined
      const value = readSessionRecord(stored.value)
      if (value !== undefined) return { value, revision: stored.revision }
      if (!isEndedRecord(stored.value)) unreadable('sessions', sessionMark(id))
      return 'ended'
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
        // The next home may have handed the session over and recorded that already.
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

/** Reads, decides and writes, until no other node wrote in between. `decide` returns `undefined` to write nothing. */
async function change(
  store: Store<AnyRecord>,
  id: string,
  decide: (found: AnyRecord | undefined) => AnyRecord | undefined,
): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until no other node writes in between
    const stored = await store.get(id)
    const next = decide(stored?.value)
    if (next === undefined) return
    // oxlint-disable-next-line no-await-in-loop
    if ((await store.put(id, next, stored?.revision ?? 0)) !== 'conflict') return
  }
}
