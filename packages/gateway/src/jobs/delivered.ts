import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { JobBatch } from './job-record.ts'

/** A frame for the own stream of a session. */
export interface Delivered {
  readonly session: string
  /** Of the job that it is from. */
  readonly job: string
  /** Empty when there is nothing to say. */
  readonly text: string
  /** The answer of the job, which is delivered once. */
  readonly last: boolean
  /** The answer goes out with the others of its batch. */
  readonly batch?: JobBatch | undefined
}

/** Reads a frame from another node; `undefined` for what is none, or not known to this version. */
export function readDelivered(value: JsonValue): Delivered | undefined {
  if (!isJsonObject(value)) return undefined
  const { session, job, text, last, batch } = value
  if (typeof session !== 'string' || typeof job !== 'string') return undefined
  if (typeof text !== 'string' || typeof last !== 'boolean') return undefined
  return { session, job, text, last, batch: readBatch(batch) }
}

function readBatch(value: unknown): JobBatch | undefined {
  if (!isJsonObject(value)) return undefined
  // A node of an earlier version tells no order.
  const { id, size, at = 0 } = value
  if (typeof id !== 'string' || typeof size !== 'number' || typeof at !== 'number') return undefined
  return { id, size, at }
}
