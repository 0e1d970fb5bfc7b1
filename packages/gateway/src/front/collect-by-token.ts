import type { Handler, Sink } from '@junctor/exchange'
import type { Head, Tenant } from '@junctor/contracts'
import { createExchange } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Profile } from '@junctor/protocol'
import { headers, rpcMethods, situationOf } from '@junctor/protocol'
import type { JobDesk } from '../jobs/job-desk.ts'
import type { FoundJob } from '../jobs/find-job.ts'
import { jobOfToken } from '../jobs/find-job.ts'
import { complete, shownJob, unknownJobMessage } from '../router/job-routes.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import { outcomeOf } from '../jobs/job-outcome.ts'
import { errorFor } from '../shared/errors.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { DispatchParts } from './dispatch.ts'
import { dispatch } from './dispatch.ts'
import { refuseRequest } from './refuse-request.ts'
import type { RequestOwner } from './request-owner.ts'

/** What the token of a job is good for. To cancel it takes its caller. */
const methodsOfToken: ReadonlySet<string> = new Set([rpcMethods.jobStatus, rpcMethods.jobResult])

/** `Bearer` and the token of a job as `job-token.ts` prints it. No API key or token of an issuer looks like this. */
const bearerJobToken = /^bearer +([\w-]{22}\.[\w-]{32}\.j_[\w-]{22})$/i

export interface TokenParts {
  readonly jobs: Pick<JobDesk, 'read' | 'wait'>
  readonly dispatching: DispatchParts
  readonly tenants: ReadonlyMap<string, TenantEntry>
  /** What refusals look like where nothing is known of who asks. */
  readonly profile: () => Profile
}

/**
 * The token of a job that a request shows in place of credentials: `authToken` in its params, or as a bearer token.
 * Undefined for whatever else comes, and for whoever has credentials: these are judged as ever.
 */
export function jobTokenOf(request: Request, head: Pick<Head, 'header'>): string | undefined {
  if (request.dialect !== '3.0' || !methodsOfToken.has(request.method)) return undefined
  const authorization = head.header(headers.authorization)
  if (authorization !== undefined) return bearerJobToken.exec(authorization)?.[1]
  const params = request.params?.value()
  const token = isJsonObject(params) ? params['authToken'] : undefined
  return typeof token === 'string' ? token : undefined
}

/**
 * Answers whoever has the token of a job and nothing else (JSON-RPC 3.0, section 11.1.3): where the job is, or what it
 * came to, under the id of its own request. The token opens that job at that tenant. With any other, the answer is that
 * there is no such job, and no more is done than to look.
 */
export async function collectByToken(
  parts: TokenParts,
  request: Request,
  token: string,
  tenant: string,
  sink: Sink,
): Promise<void> {
  const { dispatching, profile } = parts
  const nobody = { tenant: { name: '', profile: profile() }, revision: undefined }
  try {
    const params = request.params?.value()
    const job = await jobOfToken(parts.jobs, tenant, token, isJsonObject(params) ? params['jobId'] : undefined)
    const entry = parts.tenants.get(tenant)
    if (job === undefined || entry === undefined) {
      return refuseRequest(dispatching.tell, nobody, request, sink, 'unknown_resource', unknownJobMessage)
    }
    const { record } = job
    const isResult = request.method === rpcMethods.jobResult
    const answer: Handler = isResult ? resultOf(parts, job) : () => complete(shownJob(record))
    const owner = ownerOf(entry.tenant, record, dispatching.node)
    dispatch(dispatching, owner, request, sink, answer, isResult ? (record.request.id as Request['id']) : request.id)
  } catch (error) {
    dispatching.log.error('a job could not be read', { error })
    refuseRequest(dispatching.tell, nobody, request, sink, situationOf(error))
  }
}

/** The request has the name of the principal that gave the token away, and nothing that its client can do. */
function ownerOf(tenant: Tenant, { tenant: name, principal, revision }: JobRecord, home: string): RequestOwner {
  const client = { info: {}, capabilities: {} }
  const context = { tenant: name, principal, session: undefined, revision, client, trace: undefined }
  return { tenant, revision, context, home, inFlight: undefined }
}

/** Waits for what the job comes to. Its questions are not for whoever collects: nobody hears what this waits on. */
function resultOf({ jobs, dispatching, profile }: TokenParts, { key, record }: FoundJob): Handler {
  const { host } = dispatching
  return async (request, exchange) => {
    const { context, deadline } = exchange
    const waiting = createExchange({ id: host.nextId(), request, context, deadline, attempt: 1 }, host)
    exchange.onEnd({ ended: (reason) => waiting.end(reason) })
    try {
      const over = await jobs.wait(key, waiting)
      if (over?.outcome !== undefined) return outcomeOf(over.outcome)
      const details = { name: record.id, message: unknownJobMessage }
      return { kind: 'error', error: errorFor(context, '3.0', profile(), 'unknown_resource', details) }
    } finally {
      waiting.end('disconnected')
    }
  }
}
