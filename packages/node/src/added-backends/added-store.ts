import { type Fabric, type Log, readData, type UnreadableReporter } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import type { Precondition } from '@junctor/telemetry'
import { type AddedChange, type AddedRecord, addedRecordSchema, changeRecord, noneAdded } from './added-record.ts'

/** The backends that were added while the nodes run, as all nodes of a fabric share them. */
export interface AddedStore {
  /**
   * The current record. `undefined`: it cannot be read, because a newer version wrote it. Rejects with
   * `FABRIC_UNAVAILABLE`.
   */
  read(): Promise<AddedRecord | undefined>
  /**
   * Adds, replaces or removes one backend, unless other nodes change backends all the time. Rejects like `read`; then
   * the change may have been stored. Rejects, too, when the record cannot be read: it is never overwritten.
   */
  change(name: string, entry: JsonValue | undefined, precondition: Precondition): Promise<AddedChange>
}

/** Until it is removed: ten years. */
const keptMs = 10 * 365 * 24 * 3_600_000

const key = 'backends'

const newer =
  'The backends that were added cannot be read: a newer version of Junctor may have written them. Update this node'

/** How often a change is tried again because another node has changed the record in between. */
const mostAttempts = 10

/**
 * Creates the store of the backends that were added. When the fabric has lost the record, it stores the last one that was
 * read again.
 */
export function createAddedStore(fabric: Pick<Fabric, 'store'>, unreadable: UnreadableReporter, log: Log): AddedStore {
  const store = fabric.store<JsonValue>('added', keptMs)
  let latest = noneAdded

  const storedNow = async (): ReturnType<typeof store.get> => {
    const stored = await store.get(key)
    // Removing a backend leaves a record: none at all, after one was read, is a loss.
    if (stored !== undefined || latest.last === 0) return stored
    log.warn('the backends that were added are lost where they were stored; this node stores them again')
    // On a conflict another node has stored one.
    await store.put(key, latest, 0)
    return store.get(key)
  }

  const read = async (): Promise<{ readonly record: AddedRecord | undefined; readonly revision: number }> => {
    const stored = await storedNow()
    if (stored === undefined) return { record: noneAdded, revision: 0 }
    const data = readData(addedRecordSchema, stored.value)
    if (data.kind === 'unreadable') unreadable('added_backends', key, data.problem)
    if (data.kind === 'read') latest = data.value
    return { record: data.kind === 'read' ? data.value : undefined, revision: stored.revision }
  }

  return {
    read: async () => (await read()).record,
    async change(name, entry, precondition) {
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        const { record, revision } = await read()
        if (record === undefined) throw new JunctorError('FABRIC_UNAVAILABLE', newer)
        const change = changeRecord(record, name, entry, precondition)
        if (!('record' in change)) return change
        const put = await store.put(key, change.record, revision)
        if (put !== 'conflict') return change
      }
      throw new JunctorError('FABRIC_UNAVAILABLE', 'Other nodes change backends at the same time: try again')
    },
  }
}
