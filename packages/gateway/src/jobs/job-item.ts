import type { JobRecord } from './job-record.ts'
import { keyOf, readJobRecord } from './job-record.ts'

/**
 * What stands in the queue for a job: the key of its record, or the record itself, which is stored nowhere else before
 * something of it is written.
 */
export type JobItem = string | JobRecord

/** The key of a job, and its record, if the item has it. */
export interface ReadJobItem {
  readonly key: string
  readonly record: JobRecord | undefined
}

/** Reads an item that another node, perhaps of another version, has stored; `undefined` when it is not one. */
export function readJobItem(item: unknown): ReadJobItem | undefined {
  if (typeof item === 'string') return { key: item, record: undefined }
  const record = readJobRecord(item)
  return record && { key: keyOf(record), record }
}
