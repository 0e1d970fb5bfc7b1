import type { RequestId } from '@junctor/jsonrpc'
import { situationOf } from '@junctor/protocol'
import { findJob } from '../../jobs/desk/find-job.ts'
import type { JobDesk } from '../../jobs/desk/job-desk.ts'
import { type AskedRequest, dispatch, type DispatchParts } from '../requests/dispatch.ts'
import { sendRefusal } from '../requests/send-refusal.ts'

/**
 * Answers `job.result`. The result has the id of the request that created the job: for the client that sent that
 * request, it is the response (JSON-RPC 3.0, section 11.1.3). An error for an unknown job has the id of this request.
 */
export function collect(jobs: Pick<JobDesk, 'read'>, parts: DispatchParts, asked: AskedRequest): void {
  const { client, request } = asked
  const answerAs = (id: RequestId): void => dispatch(parts, asked, undefined, id)
  findJob(jobs, client.context, request.params).then(
    (found) => answerAs(found.kind === 'job' ? (found.record.request.id as RequestId) : request.id),
    (error: unknown) => {
      parts.log.error('a job could not be read', { error })
      sendRefusal(parts.emit, asked, situationOf(error))
    },
  )
}
