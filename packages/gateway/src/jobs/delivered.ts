import type { JsonValue } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { JobBatch } from './job-record.ts'

/** A frame for a session's own stream. */
export interface Delivered {
  readonly session: string
  /** The id of the job that sends the frame. */
  readonly job: string
  /** The text of the frame; empty: the job has no text. */
  readonly text: string
  /** Whether this is the answer of the job, which is delivered once. */
  readonly last: boolean
  /** The batch of the answer: the answers of a batch are sent together. */
  readonly batch?: JobBatch | undefined
}

/** Reads a frame from another node. `undefined`: it is not valid, or unknown to this version. */
export function readDelivered(value: JsonValue): Delivered | undefined {
  if (!isJsonObject(value)) return undefined
  const { session, job, text, last, batch } = value
  if (typeof session !== 'string' || typeof job !== 'string') return undefined
  if (typeof text !== 'string' || typeof last !== 'boolean') return undefined
  return { session, job, text, last, batch: readBatch(batch) }
}

function readBatch(value: unknown): JobBatch | undefined {
  if (!isJsonObject(value)) return undefined
  // A node of an earlier version sends no position.
  const { id, size, at = 0 } = value
  if (typeof id !== 'string' || typeof size !== 'number' || typeof at !== 'number') return undefined
  return { id, size, at }
}
