import type { CallContext } from '@junctor/exchange'
import { isJsonObject, type JsonValue, type Payload } from '@junctor/jsonrpc'
import type { JobDesk } from './job-desk.ts'
import { type JobRecord, keyOf, ownerOf } from '../record/job-record.ts'
import { opensJob, readJobToken } from '../record/job-token.ts'

/** A job that the caller may access, with its key in storage. */
export interface FoundJob {
  readonly key: string
  readonly record: JobRecord
}

/** The job that a `job.*` request names. */
export type NamedJob =
  | ({ readonly kind: 'job' } & FoundJob)
  | { readonly kind: 'unknown'; readonly id: string }
  | { readonly kind: 'bad'; readonly message: string }

/**
 * Finds the job of `{"jobId", "authToken"}`, if it belongs to the caller, or if the caller has its token and is at the
 * same tenant. The token alone is enough to name the job. A caller without access gets the same answer as for an
 * unknown job.
 */
export async function findJob(
  jobs: Pick<JobDesk, 'read'>,
  context: Pick<CallContext, 'tenant' | 'principal'>,
  params: Payload | undefined,
): Promise<NamedJob> {
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
    // Tasks are found by their own methods. A request with a key, which was answered on a stream, may be repeated as `async`.
    const mayHave = record !== undefined && record.kind !== 'task' && record.tenant === context.tenant
    if (mayHave && (owner === own || (token !== undefined && opensJob(token, record))))
      return { kind: 'job', key, record }
  }
  return { kind: 'unknown', id }
}

/**
 * Finds the job of a token at the tenant where the token is presented. `undefined`: the token is invalid, or belongs to
 * another job or tenant, or its job was removed.
 *
 * @param jobId the id in the request, if any; it must match the token
 */
export async function jobOfToken(
  jobs: Pick<JobDesk, 'read'>,
  tenant: string,
  token: string,
  jobId: JsonValue | undefined,
): Promise<FoundJob | undefined> {
  const presented = readJobToken(token)
  const { owner, id } = presented
  if (id === undefined || (jobId !== undefined && jobId !== id)) return undefined
  const key = keyOf({ owner, id })
  const record = await jobs.read(key)
  const isOne = record?.kind === 'async' && record.tenant === tenant && opensJob(presented, record)
  return isOne ? { key, record } : undefined
}
