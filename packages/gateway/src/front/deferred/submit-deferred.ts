import type { CallContext, Sink } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { andThen } from '@junctor/primitives'
import type { JobDesk } from '../../jobs/desk/job-desk.ts'
import type { Submission, Submitted } from '../../jobs/record/submission.ts'
import type { JudgeSubmission, SubmissionVerdict } from '../../router/judge-submission.ts'
import type { FrontSession } from '../../sessions/session/front-session.ts'
import { metaOf } from '../../shared/request-view.ts'
import { traceparentOf } from '../../shared/trace-parent.ts'
import type { DispatchParts } from '../requests/dispatch.ts'

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
export function submitDeferred(
  parts: SubmitDeferredParts,
  deferred: DeferredRequest,
  options: SubmissionOptions,
): Submitted | Promise<Submitted> {
  return andThen<SubmissionVerdict | undefined, Submitted>(
    parts.judgeSubmission(deferred.request, deferred.context),
    (verdict) => {
      if (verdict === undefined) return submit(parts, deferred, options)
      return verdict.kind === 'refused' ? verdict : submitCounted(verdict, submit(parts, deferred, options))
    },
  )
}

async function submitCounted(
  { giveBack }: Extract<SubmissionVerdict, { kind: 'counted' }>,
  submitting: Promise<Submitted>,
): Promise<Submitted> {
  const submitted = await submitting
  if (submitted.kind !== 'stored') giveBack()
  return submitted
}

function submit(
  { jobs, startTrace }: SubmitDeferredParts,
  { session, context, request }: DeferredRequest,
  { kind, idempotencyKey, batch, token }: SubmissionOptions,
): Promise<Submitted> {
  const trace = traceparentOf(metaOf(request), startTrace)
  return jobs.submit({
    kind,
    request,
    context: { ...context, trace },
    home: session.home,
    owner: session.owner,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(token !== undefined && { token }),
    batch,
  })
}
