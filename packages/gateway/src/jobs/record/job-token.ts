import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { JobRecord } from './job-record.ts'

/** Gives other callers access to the result of a job. */
export interface JobToken {
  readonly owner: string
  /** The secret, with the owner. The job's record contains its hash. */
  readonly key: string
  /** The id of the job. Absent in tokens of older versions: their holders send the id separately. */
  readonly id: string | undefined
}

/** Creates the key of a token for a job of this owner. */
export function newJobKey(owner: string): string {
  return `${owner}.${randomBytes(24).toString('base64url')}`
}

/** The token for its holder, `<owner>.<secret>.<job>`: it is enough to find the job. */
export function printJobToken(key: string, id: string): string {
  return `${key}.${id}`
}

/** Reads a token. Accepts any text; an invalid one opens no job. */
export function readJobToken(text: string): JobToken {
  const [owner = '', secret = '', ...rest] = text.split('.')
  return { owner, key: `${owner}.${secret}`, id: rest.length === 0 ? undefined : rest.join('.') }
}

/** The stored hash of a token's key. */
export function tokenHash(key: string): string {
  return hash('sha256', key, 'base64url')
}

/** Whether a token opens this job. Takes the same time regardless of which part is wrong. */
export function opensJob(presented: JobToken, { id, token }: Pick<JobRecord, 'id' | 'token'>): boolean {
  const stored = Buffer.from(token ?? '')
  const own = Buffer.from(tokenHash(presented.key))
  return (
    stored.length === own.length && timingSafeEqual(stored, own) && (presented.id === undefined || presented.id === id)
  )
}
