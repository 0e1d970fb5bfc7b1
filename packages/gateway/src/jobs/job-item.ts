import type { JobRecord } from './job-record.ts'
import { keyOf, readJobRecord } from './job-record.ts'

/**
 * The queue item of a job: the key of its record, or the record itself, which is then stored nowhere else until the job
 * is changed.
 */
export type JobItem = string | JobRecord

/** The key of a job, and its record if the item contains it. */
export interface ReadJobItem {
  readonly key: string
  readonly record: JobRecord | undefined
}

/** Reads an item that another node wrote, perhaps one of another version. `undefined`: it is not a valid item. */
export function readJobItem(item: unknown): ReadJobItem | undefined {
  if (typeof item === 'string') return { key: item, record: undefined }
  const record = readJobRecord(item)
  return record && { key: keyOf(record), record }
}
