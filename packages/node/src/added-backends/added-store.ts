import type { Fabric, UnreadableReporter } from '@junctor/contracts'
import { readData } from '@junctor/contracts'
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
  /** Stores a record where there is none any more, because the fabric has lost its data. Rejects like `read`. */
  restore(record: AddedRecord): Promise<void>
}

/** Until it is removed: ten years. */
const keptMs = 10 * 365 * 24 * 3_600_000

const key = 'backends'

const newer =
  'The backends that were added cannot be read: a newer version of Junctor may have written them. Update this node'

/** How often a change is tried again because another node has changed the record in between. */
const mostAttempts = 10

/** Creates the store of the backends that were added. */
export function createAddedStore(fabric: Pick<Fabric, 'store'>, unreadable: UnreadableReporter): AddedStore {
  const store = fabric.store<JsonValue>('added', keptMs)

  const read = async (): Promise<{ readonly record: AddedRecord | undefined; readonly revision: number }> => {
    const stored = await store.get(key)
    if (stored === undefined) return { record: noneAdded, revision: 0 }
    const data = readData(addedRecordSchema, stored.value)
    if (data.kind === 'unreadable') unreadable('added_backends', key, data.problem)
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
    async restore(record) {
      // On a conflict another node has stored one, which is read next.
      await store.put(key, record, 0)
    },
  }
}
