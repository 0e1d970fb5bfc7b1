import type { Subjects } from '@junctor/nats'
import { RetentionPolicy } from '@nats-io/jetstream'
import type { Storage } from './storage.ts'
import type { StoredFields } from './stored-message.ts'
import { StoredStream } from './stored-stream.ts'

/** How long at most something can be held: what is cleared away before is done, so this is for what nobody clears away. */
const heldMs = 24 * 60 * 60_000

/** How much longer than all that it tells of a mark is kept, in milliseconds. */
const longerMs = 60 * 60_000

/** Where a queue keeps what its nodes hold: each in a lane of its own, a subject of each stream. */
export interface HeldStreams {
  readonly items: StoredStream
  /** The last one of each lane. */
  readonly marks: StoredStream
}

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

/** What stands beside an item of a lane. */
export function heldFields(id: string, number: number): Readonly<Record<string, string>> {
  return { [idField]: id, [numberField]: String(number) }
}

/** The id and the number of an item of a lane. */
export function readHeldFields(item: StoredFields): { readonly id: string; readonly number: number } {
  return { id: item.field(idField), number: Number(item.field(numberField)) }
}
