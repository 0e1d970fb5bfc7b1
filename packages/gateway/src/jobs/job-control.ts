import type { Control } from '@junctor/exchange'
import { isJsonObject } from '@junctor/jsonrpc'
import type { JobBatch } from './job-record.ts'

/** The short messages that gateways send each other about jobs. */
export type JobControl =
  /** To the node that runs it: it was cancelled. */
  | { readonly kind: 'job-cancel'; readonly key: string }
  /** To the node that stored it: it is over. */
  | { readonly kind: 'job-ended'; readonly key: string }
  /** To the home of a session: a frame for the session's own stream. */
  | ({ readonly kind: 'deliver' } & Delivered)

/** A frame for the own stream of a session. */
export interface Delivered {
  readonly session: string
  /** Of the job that it is from. */
  readonly job: string
  /** Empty when there is nothing to say. */
  readonly text: string
  /** The answer of the job, which is delivered once. */
  readonly last: boolean
  /** It may have been delivered before: the job was taken more than once. */
  readonly again: boolean
  /** The answer goes out with the others of its batch. */
  readonly batch?: JobBatch | undefined
}

export function toJobControl({ kind, ...body }: JobControl): Control {
  if (kind !== 'deliver') return { kind, body: { ...body } }
  const { session, job, text, last, again, batch } = body as Delivered
  return { kind, body: { session, job, text, last, again, ...(batch !== undefined && { batch }) } }
}

/** Reads a control from another node; `undefined` for what is not about jobs, or not known to this version. */
export function readJobControl({ kind, body }: Control): JobControl | undefined {
  if (!isJsonObject(body)) return undefined
  const { key, session, job, text, last, again, batch } = body
  if (kind === 'job-cancel' || kind === 'job-ended') return typeof key === 'string' ? { kind, key } : undefined
  if (kind !== 'deliver' || typeof session !== 'string' || typeof job !== 'string') return undefined
  if (typeof text !== 'string' || typeof last !== 'boolean') return undefined
  // Who does not say is a node of an earlier version.
  return { kind, session, job, text, last, again: again !== false, batch: readBatch(batch) }
}

function readBatch(value: unknown): JobBatch | undefined {
  if (!isJsonObject(value)) return undefined
  const { id, size } = value
  return typeof id === 'string' && typeof size === 'number' ? { id, size } : undefined
}
