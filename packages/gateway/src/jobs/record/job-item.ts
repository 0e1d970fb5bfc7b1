import type { ReadData } from '@junctor/contracts'
import { type JobRecord, keyOf, readJobRecord } from './job-record.ts'

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

/** Reads an item that another node wrote, perhaps one of another version. */
export function readJobItem(item: unknown): ReadData<ReadJobItem> {
  if (typeof item === 'string') return { kind: 'read', value: { key: item, record: undefined } }
  const read = readJobRecord(item)
  return read.kind === 'read' ? { kind: 'read', value: { key: keyOf(read.value), record: read.value } } : read
}
