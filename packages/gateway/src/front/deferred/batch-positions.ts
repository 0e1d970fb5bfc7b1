import { randomBytes } from 'node:crypto'
import type { Sink } from '@junctor/exchange'
import type { JobBatch } from '../../jobs/record/job-record.ts'

/** A batch whose requests arrive one after the other, in one turn of the event loop. */
interface ArrivingBatch {
  readonly sink: Sink
  readonly id: string
  /** How many of its requests have arrived. */
  size: number
}

/** The position of a request in its batch, from 0 on. */
export interface BatchPosition {
  readonly batch: ArrivingBatch
  readonly at: number
}

/** Numbers the requests of batches, whose answers are sent together. */
export class BatchPositions {
  /** All requests of a batch arrive before any other request. */
  #latest: ArrivingBatch | undefined

  /** The position of a request that has just arrived. `undefined`: its sink is for this request alone. */
  next(sink: Sink): BatchPosition | undefined {
    if (sink.batched !== true) return undefined
    if (this.#latest?.sink !== sink) this.#latest = { sink, id: randomBytes(9).toString('base64url'), size: 0 }
    const batch = this.#latest
    batch.size += 1
    return { batch, at: batch.size - 1 }
  }
}

/** Waits until the rest of the batch has arrived in this turn: then its size is known. */
export async function wholeBatch({ batch, at }: BatchPosition): Promise<JobBatch> {
  await Promise.resolve()
  return { id: batch.id, size: batch.size, at }
}
