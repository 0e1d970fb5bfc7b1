import { type ReadData, readData } from '@junctor/contracts'
import { z } from 'zod'
import { type JobBatch, jobBatch } from '../record/job-record.ts'

/** A frame for a session's own stream. */
export interface JobFrame {
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

const schema: z.ZodType<JobFrame> = z.object({
  session: z.string(),
  job: z.string(),
  text: z.string(),
  last: z.boolean(),
  batch: jobBatch.optional(),
})

/** Reads a frame from another node, perhaps one of another version. */
export function readJobFrame(value: unknown): ReadData<JobFrame> {
  return readData(schema, value)
}
