import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JobRecord } from './job-record.ts'

/** What lets others than its caller collect a job. */
export interface JobToken {
  readonly owner: string
  /** The secret, with the owner. Its hash is in the job's record. */
  readonly key: string
  /** Absent in tokens of versions that did not say it: whoever has one says the id beside it. */
  readonly id: string | undefined
}

/** Makes the key of a token for a job of this owner. */
export function newJobKey(owner: string): string {
  return `${owner}.${randomBytes(24).toString('base64url')}`
}

/** The token as its holder gets it, `<owner>.<secret>.<job>`: with it alone the job is found. */
export function printJobToken(key: string, id: string): string {
  return `${key}.${id}`
}

/** Reads a token, or whatever else came as one. */
export function readJobToken(text: string): JobToken {
  const [owner = '', secret = '', ...rest] = text.split('.')
  return { owner, key: `${owner}.${secret}`, id: rest.length === 0 ? undefined : rest.join('.') }
}

/** What is stored of the key of a token. */
export function tokenHash(key: string): string {
  return hash('sha256', key, 'base64url')
}

/** Whether a token is that of this job. Takes the same time whatever of it is wrong. */
export function opensJob(given: JobToken, { id, token }: Pick<JobRecord, 'id' | 'token'>): boolean {
  const stored = Buffer.from(token ?? '')
  const own = Buffer.from(tokenHash(given.key))
  return stored.length === own.length && timingSafeEqual(stored, own) && (given.id === undefined || given.id === id)
}
