import type { Handler, Sink } from '@junctor/exchange'
import type { Head, Tenant } from '@junctor/contracts'
import { memberOf, type Request } from '@junctor/jsonrpc'
import { headers, type Profile, rpcMethods, situationOf } from '@junctor/protocol'
import type { JobDesk } from '../../jobs/desk/job-desk.ts'
import { type FoundJob, jobOfToken } from '../../jobs/desk/find-job.ts'
import { completeOutcome, jobStatusResult, unknownJobMessage, unreadResult } from '../../router/job-routes.ts'
import type { JobRecord } from '../../jobs/record/job-record.ts'
import { outcomeOf } from '../../jobs/record/job-outcome.ts'
import { waitApart } from '../../jobs/run/wait-apart.ts'
import { errorFor } from '../../shared/errors.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { dispatch, type DispatchParts } from '../requests/dispatch.ts'
import { sendRefusal } from '../requests/send-refusal.ts'
import type { RequestOwner } from '../requests/request-owner.ts'

/** The methods that the token of a job allows. To cancel a job, its caller is needed. */
const methodsOfToken: ReadonlySet<string> = new Set([rpcMethods.jobStatus, rpcMethods.jobResult])

/** `Bearer` and the token of a job as `job-token.ts` prints it. No API key and no issuer's token has this form. */
const bearerJobToken = /^bearer +([\w-]{22}\.[\w-]{32}\.j_[\w-]{22})$/i

/** The jobs that a token can open, and what refusals need. */
export interface TokenParts {
  readonly jobs: Pick<JobDesk, 'read' | 'wait'>
  readonly dispatching: DispatchParts
  readonly tenants: ReadonlyMap<string, TenantEntry>
  /** The profile of refusals when nothing is known about the caller. */
  readonly profile: () => Profile
}

/**
 * The token of a job that a request presents instead of credentials: `authToken` in its params, or a bearer token.
 * `undefined`: any other request, and callers with credentials, which are authenticated as usual.
 */
export function jobTokenOf(request: Request, head: Pick<Head, 'header'>): string | undefined {
  if (request.dialect !== '3.0' || !methodsOfToken.has(request.method)) return undefined
  const authorization = head.header(headers.authorization)
  if (authorization !== undefined) return bearerJobToken.exec(authorization)?.[1]
  const token = memberOf(request.params?.value(), 'authToken')
  return typeof token === 'string' ? token : undefined
}

/**
 * Answers a caller that has the token of a job and no credentials (JSON-RPC 3.0, section 11.1.3): with the state of the
 * job, or with its result under the id of the job's own request. The token opens that one job of that tenant. With any
 * other token, the answer is that there is no such job.
 */
export async function collectByToken(
  parts: TokenParts,
  request: Request,
  token: string,
  tenant: string,
  sink: Sink,
): Promise<void> {
  const { dispatching, profile } = parts
  const client = { tenant: { name: '', profile: profile() }, revision: undefined }
  try {
    const job = await jobOfToken(parts.jobs, tenant, token, memberOf(request.params?.value(), 'jobId'))
    const entry = parts.tenants.get(tenant)
    if (job === undefined || entry === undefined) {
      return sendRefusal(dispatching.emit, { client, request, sink }, 'unknown_resource', {
        message: unknownJobMessage,
      })
    }
    const { record } = job
    const isResult = request.method === rpcMethods.jobResult
    const answer: Handler = isResult ? resultOf(parts, job) : () => completeOutcome(jobStatusResult(record))
    const asked = { client: ownerOf(entry.tenant, record, dispatching.node), request, sink }
    dispatch(dispatching, asked, answer, isResult ? (record.request.id as Request['id']) : request.id)
  } catch (error) {
    dispatching.log.error('a job could not be read', { error })
    sendRefusal(dispatching.emit, { client, request, sink }, situationOf(error))
  }
}

/** The request runs as the principal that issued the token, but without the capabilities of its client. */
function ownerOf(tenant: Tenant, { tenant: name, principal, revision }: JobRecord, home: string): RequestOwner {
  const client = { info: {}, capabilities: {} }
  const context = { tenant: name, principal, session: undefined, revision, client, trace: undefined }
  return { tenant, revision, context, home, inFlight: undefined }
}

/** Waits for the result of the job. The caller does not get the job's questions. */
function resultOf({ jobs, dispatching, profile }: TokenParts, { key, record }: FoundJob): Handler {
  return async (request, exchange) => {
    const { context } = exchange
    try {
      const over = await waitApart(dispatching.host, request, exchange, (waiting) => jobs.wait(key, waiting))
      if (over?.outcome !== undefined) return outcomeOf(over.outcome)
      const details = { name: record.id, message: unknownJobMessage }
      return { kind: 'error', error: errorFor(context, '3.0', profile(), 'unknown_resource', details) }
    } catch (error) {
      return { kind: 'error', error: errorFor(context, '3.0', profile(), ...unreadResult(error)) }
    }
  }
}
