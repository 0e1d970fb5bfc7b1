import type { Fabric, Store, Stored, UnreadableReporter } from '@junctor/contracts'
import type { Extensions } from '@junctor/protocol'
import { sessionMark } from '../../shared/session-mark.ts'
import type { HomeSession } from '../session/home-session.ts'
import { type HomeVerdict, judgeHome } from './judge-home.ts'
import {
  type EndedRecord,
  endedRecord,
  readStoredSession,
  type SessionRecord,
  toSessionRecord,
} from './session-record.ts'

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
  confirm(session: HomeSession, writtenAt: number, isDue: boolean): Promise<HomeVerdict>
  /** Writes the new home of a session that this node has handed over. Returns false when the session has ended. */
  move(session: HomeSession, home: string, moves: number): Promise<boolean>
  /** Writes the extensions of a session whose home is another node. */
  setExtensions(id: string, extensions: Extensions): Promise<void>
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
  endHere(session: HomeSession): Promise<void>
}

/**
 * @param now epoch milliseconds
 * @param ttlMs how long a record is kept, in milliseconds
 * @param unreadable called with a record that this version cannot read; it counts as `ended`
 */
export function createSessionRecords(
  fabric: Pick<Fabric, 'node' | 'store'>,
  now: () => number,
  ttlMs: number,
  unreadable: UnreadableReporter,
): SessionRecords {
  const { node } = fabric
  const store: Store<AnyRecord> = fabric.store('sessions', ttlMs)
  const { recordIn, change } = createRecordReads(store, unreadable)

  return {
    async read(id) {
      const stored = await store.get(id)
      if (stored === undefined) return undefined
      const value = recordIn(id, stored.value)
      return value === 'ended' ? 'ended' : { value, revision: stored.revision }
    },
    async create(session) {
      await store.put(session.id, toSessionRecord(node, session, session.moves))
    },
    async confirm(session, writtenAt, isDue) {
      let verdict: HomeVerdict = 'recorded'
      await change(session.id, (found) => {
        const { moves } = session
        verdict = judgeHome(found, node, moves, now() - writtenAt < ttlMs)
        const isToWrite = verdict === 'unrecorded' || (verdict === 'recorded' && isDue)
        return isToWrite ? toSessionRecord(node, session, moves) : undefined
      })
      return verdict
    },
    async move(session, home, moves) {
      let exists = true
      await change(session.id, (found) => {
        exists = found !== 'ended'
        if (found === 'ended') return undefined
        // The next home may have handed the session over and recorded that already.
        const isOld = found === undefined || found.moves < moves
        return isOld ? toSessionRecord(home, session, moves) : undefined
      })
      return exists
    },
    setExtensions: (id, extensions) =>
      change(id, (found) => (found === undefined || found === 'ended' ? undefined : { ...found, extensions })),
    async end(id, revision) {
      return (await store.put(id, endedRecord, revision)) !== 'conflict'
    },
    async endHere({ id, moves }) {
      if (moves === 0) return store.delete(id)
      await change(id, (found) => (judgeHome(found, node, moves, true) === 'elsewhere' ? undefined : endedRecord))
    },
  }
}

interface RecordReads {
  /** The record in a stored value. Reports a value that cannot be read. */
  readonly recordIn: (id: string, stored: AnyRecord) => SessionRecord | 'ended'
  /** Reads, decides and writes, until no other node wrote in between. `decide` returns `undefined` to write nothing. */
  readonly change: (
    id: string,
    decide: (found: SessionRecord | 'ended' | undefined) => AnyRecord | undefined,
  ) => Promise<void>
}

function createRecordReads(store: Store<AnyRecord>, unreadable: UnreadableReporter): RecordReads {
  const recordIn: RecordReads['recordIn'] = (id, stored) => {
    const found = readStoredSession(stored)
    if (found.kind === 'record') return found.record
    if (found.kind === 'unreadable') unreadable('session', sessionMark(id), found.problem)
    return 'ended'
  }

  const change: RecordReads['change'] = async (id, decide) => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- until no other node writes in between
      const stored = await store.get(id)
      const next = decide(stored && recordIn(id, stored.value))
      if (next === undefined) return
      // oxlint-disable-next-line no-await-in-loop
      if ((await store.put(id, next, stored?.revision ?? 0)) !== 'conflict') return
    }
  }

  return { recordIn, change }
}
