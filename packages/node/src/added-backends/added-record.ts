import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Precondition } from '@junctor/telemetry'
import { z } from 'zod'

/** A backend that was added while the nodes run. */
type AddedEntry = {
  /** As in the section `backends` of a file, with the `tenants` that may use it. */
  readonly entry: JsonValue
  /** Rises with every change of any added backend. */
  readonly revision: number
}

/** All backends that were added while the nodes run, by name, as the fabric stores them: in one record. */
export type AddedRecord = {
  /** The highest revision that was given out. */
  readonly last: number
  readonly backends: Readonly<Record<string, AddedEntry>>
}

/** The record before the first backend is added. */
export const noneAdded: AddedRecord = { last: 0, backends: {} }

/** The schema of the stored record. Members of a newer version are kept. */
export const addedRecordSchema: z.ZodType<AddedRecord> = z.looseObject({
  last: z.number().int(),
  backends: z.record(
    z.string(),
    z.looseObject({ entry: z.custom<JsonValue>(isJsonObject, 'an object'), revision: z.number().int() }),
  ),
})

/** The bounds of all added backends together. Every node reads all of them after each change. */
const mostBackends = 200
const mostCharacters = 512 * 1024

/** A change that can be stored. */
export interface StoredChange {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly record: AddedRecord
  /** The entry that was replaced or removed. */
  readonly before: JsonValue | undefined
  /** What must still hold when the change is undone. */
  readonly undo: Precondition
}

/** The record after a change, or why there is none. */
export type AddedChange =
  | StoredChange
  /** It is as wanted already. */
  | { readonly kind: 'unchanged' }
  /** There is no such backend to remove or change. */
  | { readonly kind: 'absent' }
  /** The backend is not what the precondition expects, or there are too many. */
  | { readonly kind: 'precondition_failed' | 'too_many'; readonly message: string }

/**
 * Adds, replaces or removes one backend.
 *
 * @param entry undefined: removes it
 */
export function changeRecord(
  record: AddedRecord,
  name: string,
  entry: JsonValue | undefined,
  precondition: Precondition,
): AddedChange {
  const known = Object.hasOwn(record.backends, name) ? record.backends[name] : undefined
  if (!holds(precondition, known)) {
    const message =
      known === undefined ? `there is no backend "${name}"` : `"${name}" is there, at revision ${known.revision}`
    return { kind: 'precondition_failed', message }
  }
  const { [name]: _, ...others } = record.backends
  const last = record.last + 1
  if (entry === undefined) {
    if (known === undefined) return { kind: 'absent' }
    const undo = { kind: 'absent' } as const
    return { kind: 'removed', record: { ...record, last, backends: others }, before: known.entry, undo }
  }
  if (known !== undefined && JSON.stringify(known.entry) === JSON.stringify(entry)) return { kind: 'unchanged' }
  const backends = { ...record.backends, [name]: { entry, revision: last } }
  const size = JSON.stringify(backends).length
  if (Object.keys(backends).length > mostBackends) {
    return { kind: 'too_many', message: `expected at most ${mostBackends} backends besides those of the file` }
  }
  if (size > mostCharacters) {
    return { kind: 'too_many', message: `expected at most ${mostCharacters} characters for all of them, got ${size}` }
  }
  const undo = { kind: 'revision', revision: last } as const
  const kind = known === undefined ? 'added' : 'changed'
  return { kind, record: { ...record, last, backends }, before: known?.entry, undo }
}

function holds(precondition: Precondition, known: AddedEntry | undefined): boolean {
  if (precondition.kind === 'none') return true
  if (precondition.kind === 'absent') return known === undefined
  return known !== undefined && (precondition.kind === 'present' || precondition.revision === known.revision)
}
