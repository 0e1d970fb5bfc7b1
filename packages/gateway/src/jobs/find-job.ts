import type { CallContext } from '@junctor/exchange'
import type { JsonValue, Payload } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { JobDesk } from './job-desk.ts'
import type { JobRecord } from './job-record.ts'
import { keyOf, ownerOf } from './job-record.ts'
import { opensJob, readJobToken } from './job-token.ts'

/** A job that whoever asks may have, and its key in storage. */
export interface FoundJob {
  readonly key: string
  readonly record: JobRecord
}

/** Which job a `job.*` request means. */
export type JobAsked =
  | { readonly kind: 'job'; readonly key: string; readonly record: JobRecord }
  | { readonly kind: 'unknown'; readonly id: string }
  | { readonly kind: 'bad'; readonly message: string }

/**
 * Finds the job of `{"jobId", "authToken"}`, if it is the caller's own, or the caller has its token and is at the same
 * tenant. The token alone says which one it is. Whoever may not have it is not told that it is there.
 */
export async function findJob(
  jobs: Pick<JobDesk, 'read'>,
  context: Pick<CallContext, 'tenant' | 'principal'>,
  params: Payload | undefined,
): Promise<JobAsked> {
  const value = params?.value()
  const { jobId, authToken } = isJsonObject(value) ? value : {}
  const token = typeof authToken === 'string' ? readJobToken(authToken) : undefined
  const id = jobId ?? token?.id
  if (typeof id !== 'string')
    return { kind: 'bad', message: 'Expects "jobId", or the "authToken" of a job, to be a string' }
  const own = ownerOf(context)
  for (const owner of new Set([own, token?.owner ?? own])) {
    const key = keyOf({ owner, id })
    const record = await jobs.read(key)
    const mayHave = record !== undefined && record.kind === 'async' && record.tenant === context.tenant
    if (mayHave && (owner === own || (token !== undefined && opensJob(token, record))))
      return { kind: 'job', key, record }
  }
  return { kind: 'unknown', id }
}

/**
 * Finds the job that a token is of, at the tenant where it is shown. Undefined whatever is wrong with it: a token that
 * never was one, or not of this job or tenant, or of a job that is forgotten.
 *
 * @param jobId what the request says beside the token, which must not be another
 */
export async function jobOfToken(
  jobs: Pick<JobDesk, 'read'>,
  tenant: string,
  token: string,
  jobId: JsonValue | undefined,
): Promise<FoundJob | undefined> {
  const given = readJobToken(token)
  const { owner, id } = given
  if (id === undefined || (jobId !== undefined && jobId !== id)) return undefined
  const key = keyOf({ owner, id })
  const record = await jobs.read(key)
  const isOne = record?.kind === 'async' && record.tenant === tenant && opensJob(given, record)
  return isOne ? { key, record } : undefined
}
