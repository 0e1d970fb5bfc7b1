import type { Sink } from '@junctor/exchange'
import type { Request, RequestId } from '@junctor/jsonrpc'
import { situationOf } from '@junctor/protocol'
import { findJob } from '../jobs/desk/find-job.ts'
import type { JobDesk } from '../jobs/desk/job-desk.ts'
import type { DispatchParts } from './dispatch.ts'
import { dispatch } from './dispatch.ts'
import { sendRefusal } from './send-refusal.ts'
import type { RequestOwner } from './request-owner.ts'

/**
 * Answers `job.result`. The result has the id of the request that created the job: for the client that sent that
 * request, it is the response (JSON-RPC 3.0, section 11.1.3). An error for an unknown job has the id of this request.
 */
export function collect(
  jobs: Pick<JobDesk, 'read'>,
  parts: DispatchParts,
  owner: RequestOwner,
  request: Request,
  sink: Sink,
): void {
  const answerAs = (id: RequestId): void => dispatch(parts, owner, request, sink, undefined, id)
  findJob(jobs, owner.context, request.params).then(
    (asked) => answerAs(asked.kind === 'job' ? (asked.record.request.id as RequestId) : request.id),
    (error: unknown) => {
      parts.log.error('a job could not be read', { error })
      sendRefusal(parts.emit, { client: owner, request, sink }, situationOf(error))
    },
  )
}
