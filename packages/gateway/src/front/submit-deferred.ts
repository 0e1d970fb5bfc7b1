import type { CallContext, Sink } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { JobDesk } from '../jobs/desk/job-desk.ts'
import type { Submission, Submitted } from '../jobs/record/submission.ts'
import type { JudgeSubmission } from '../router/judge-submission.ts'
import type { FrontSession } from '../sessions/front-session.ts'
import { metaOf } from '../shared/request-view.ts'
import { traceparentOf } from '../shared/trace-parent.ts'
import type { DispatchParts } from './dispatch.ts'

/** A request that is answered later, with the sink of the connection that it came on. */
export interface DeferredRequest {
  readonly session: FrontSession
  /** Of the request: that of its session, with what belongs to the request's token. */
  readonly context: CallContext
  readonly request: Request
  readonly sink: Sink
}

/** What submitting a deferred request needs. */
export interface SubmitDeferredParts extends Pick<DispatchParts, 'startTrace'> {
  readonly jobs: Pick<JobDesk, 'submit'>
  readonly judgeSubmission: JudgeSubmission
}

/** What a submission has beside its request. */
export interface SubmissionOptions extends Pick<Submission, 'batch' | 'token'> {
  readonly kind: 'queued' | 'async'
  readonly idempotencyKey: string | undefined
}

/** Submits a request as a job, if its rates and scopes allow it. A repeat of an earlier request does not count. */
export async function submitDeferred(
  { jobs, judgeSubmission, startTrace }: SubmitDeferredParts,
  { session, context, request }: DeferredRequest,
  { kind, idempotencyKey, batch, token }: SubmissionOptions,
): Promise<Submitted> {
  const judging = judgeSubmission(request, context)
  const verdict = judging instanceof Promise ? await judging : judging
  if (verdict?.kind === 'refused') return verdict
  const trace = traceparentOf(metaOf(request), startTrace)
  const submitted = await jobs.submit({
    kind,
    request,
    context: { ...context, trace },
    home: session.home,
    owner: session.jobOwner,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(token !== undefined && { token }),
    batch,
  })
  if (submitted.kind !== 'stored') verdict?.giveBack()
  return submitted
}
