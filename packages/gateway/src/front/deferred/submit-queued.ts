import { randomBytes } from 'node:crypto'
import type { Emit } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import { catalogue, type Situation } from '@junctor/protocol'
import type { JobBatch } from '../../jobs/record/job-record.ts'
import type { Submitted } from '../../jobs/record/submission.ts'
import type { Announced, AwaitedAnswers } from '../../sessions/session/awaited-answers.ts'
import type { FrameDeliveries } from '../../sessions/frames/frame-deliveries.ts'
import { type BatchPosition, wholeBatch } from './batch-positions.ts'
import { refusalOf } from '../requests/send-refusal.ts'
import { sendAnswer, type TextAnswer } from '../requests/text-answer.ts'
import {
  type DeferredRequest,
  type SubmissionOptions,
  submitDeferred,
  type SubmitDeferredParts,
} from './submit-deferred.ts'

/** What a request needs whose answer goes to its session's own stream. */
export interface SubmitQueuedParts extends SubmitDeferredParts {
  readonly deliveries: Pick<FrameDeliveries, 'deliver'>
  readonly announce: AwaitedAnswers['announce']
  readonly emit: Emit
}

/** The answer for a client whose actual answer goes to its session's stream. */
const queued: TextAnswer = { text: '{"status":"queued"}', status: 202 }

/** Creates a job whose answer goes to the session's own stream, and confirms it to the client when the job is stored. */
export async function submitQueued(
  parts: SubmitQueuedParts,
  deferred: DeferredRequest,
  idempotencyKey: string | undefined,
  position: BatchPosition | undefined,
): Promise<void> {
  const { session, request, sink } = deferred
  const batch = position === undefined ? undefined : await wholeBatch(position)
  const submitted = await submitAnnounced(parts, deferred, { kind: 'queued', idempotencyKey, batch })
  if (submitted.kind === 'refused') {
    const { situation, details } = submitted
    const refusal = refusalOf(parts.emit, { client: session, request }, situation, details)
    const isOnStream = session.tenant.profile.delivery === 'queued' && !concernsRequest(situation)
    return sendError(parts, deferred, refusal, batch, isOnStream)
  }
  void sendAnswer(sink, queued)
}

/** Puts an error for an invalid message on the session's own stream. */
export async function refuseQueued(
  parts: SubmitQueuedParts,
  client: AnsweredClient,
  refusal: TextAnswer,
  position: BatchPosition | undefined,
): Promise<void> {
  const batch = position === undefined ? undefined : await wholeBatch(position)
  const announcing = parts.announce(client.session)
  const announced = announcing instanceof Promise ? await announcing : announcing
  // When the session has ended, or its home node cannot be asked, no stream can carry the answer.
  await sendError(parts, client, refusal, batch, announced === 'known')
}

/**
 * Whether an error is sent where the request came, although answers come on the stream: the client may try again, because
 * nothing is stored; it needs a better token, which a header asks for; or its session has ended and has no stream.
 */
function concernsRequest(situation: Situation): boolean {
  return catalogue[situation].retryable || situation === 'forbidden' || situation === 'session_unknown'
}

/** Informs the session's home node of the answer to come before the job is stored, so that the answer survives that node. */
function submitAnnounced(
  parts: SubmitQueuedParts,
  deferred: DeferredRequest,
  options: SubmissionOptions,
): Submitted | Promise<Submitted> {
  return andThen<Announced, Submitted>(parts.announce(deferred.session), (announced) => {
    if (announced === 'session_ended') return { kind: 'refused', situation: 'session_unknown' }
    if (announced === 'unreachable') return { kind: 'refused', situation: 'fabric_unavailable' }
    return submitDeferred(parts, deferred, options)
  })
}

/** The session of a message, and the sink of the connection that the message came on. */
type AnsweredClient = Pick<DeferredRequest, 'session' | 'sink'>

/**
 * Sends an error on the session's own stream, or where its message came. Then the stream gets an empty answer, because the
 * rest of the message's batch need not wait for it.
 */
async function sendError(
  { deliveries }: SubmitQueuedParts,
  { session, sink }: AnsweredClient,
  error: TextAnswer,
  batch: JobBatch | undefined,
  isOnStream: boolean,
): Promise<void> {
  const job = randomBytes(9).toString('base64url')
  const text = isOnStream ? error.text : ''
  await deliveries.deliver(session.home, { session: session.id, job, text, last: true, batch })
  void sendAnswer(sink, isOnStream ? queued : error)
}
