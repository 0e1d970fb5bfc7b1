import type { Subjects } from '@junctor/nats'
import { RetentionPolicy } from '@nats-io/jetstream'
import type { Storage } from '../storage/storage.ts'
import type { StoredFields } from '../storage/stored-message.ts'
import { StoredStream } from '../storage/stored-stream.ts'

/** Maximum age of an item, in milliseconds. Nodes remove items that are done; older items have no node that removes them. */
const heldMs = 24 * 60 * 60_000

/** A mark is kept this much longer than the items that it describes, in milliseconds. */
const longerMs = 60 * 60_000

/** The streams for the items that nodes hold. Each node has a lane: one subject in each stream. */
export interface HeldStreams {
  readonly items: StoredStream
  /** The last mark of each lane. */
  readonly marks: StoredStream
}

/** Creates the streams of held items. */
export function createHeldStreams(storage: Storage, subjects: Subjects, name: string): HeldStreams {
  const shape = { kind: 'queue', retention: RetentionPolicy.Limits } as const
  return {
    items: new StoredStream(storage, {
      ...shape,
      name: subjects.stream('held', name),
      subjects: subjects.held(name),
      maxAgeMs: heldMs,
    }),
    marks: new StoredStream(storage, {
      ...shape,
      name: subjects.stream('lanes', name),
      subjects: subjects.lane(name),
      perSubject: 1,
      maxAgeMs: heldMs + longerMs,
    }),
  }
}

const idField = 'id'
const numberField = 'number'

/** The header fields of an item. */
export function heldFields(id: string, number: number): Readonly<Record<string, string>> {
  return { [idField]: id, [numberField]: String(number) }
}

/** Reads the id and the number of an item from its header fields. */
export function readHeldFields(item: StoredFields): { readonly id: string; readonly number: number } {
  return { id: item.field(idField), number: Number(item.field(numberField)) }
}
