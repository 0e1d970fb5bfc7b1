import { randomBytes } from 'node:crypto'
import type { Refusal } from '@junctor/contracts'
import type { CallContext, Sink } from '@junctor/exchange'
import { createExchange, createRenderer } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { payloadOf, printAck, wantsStream } from '@junctor/jsonrpc'
import { catalogue, noExtensions, type Situation } from '@junctor/protocol'
import { encryptionAsked } from './encryption/encryption-asked.ts'
import type { FrameDeliveries } from '../sessions/frame-deliveries.ts'
import type { JobDesk } from '../jobs/desk/job-desk.ts'
import type { JobBatch, JobRecord } from '../jobs/record/job-record.ts'
import { keyOf, lastOf } from '../jobs/record/job-record.ts'
import type { Submitted } from '../jobs/record/submission.ts'
import { newJobKey, printJobToken } from '../jobs/record/job-token.ts'
import type { JudgeSubmission } from '../router/judge-submission.ts'
import type { FrontSession } from '../sessions/front-session.ts'
import type { AwaitedAnswers } from '../sessions/awaited-answers.ts'
import { traceparentOf } from '../shared/trace-parent.ts'
import type { RequestDelivery } from './request-delivery.ts'
import type { DispatchParts } from './dispatch.ts'
import { refusalOf, sendRefusal } from './send-refusal.ts'
import { metaOf, requestView } from '../shared/request-view.ts'

/** What deferred answers need. */
export interface DeferredParts extends DispatchParts {
  readonly jobs: JobDesk
  readonly judgeSubmission: JudgeSubmission
  readonly deliveries: FrameDeliveries
  readonly announce: AwaitedAnswers['announce']
  /** The URL where clients collect the jobs of a tenant: absolute if a public URL is configured, else a path. */
  urlOf(tenant: string): string
}

/** The body for a client whose answer goes to its session's stream, with status 202. */
const queuedText = '{"status":"queued"}'

/** The requests of one batch, which arrive one after the other. */
interface Gathering {
  readonly sink: Sink
  readonly id: string
  size: number
}

/** One request of a batch, with its position. */
interface Joined {
  readonly gathering: Gathering
  readonly at: number
}

/** Answers requests later than where they came: on the session's own stream, or when the client collects them. */
export interface DeferredAnswers {
  /**
   * Creates a job for a request, and confirms it to the client when the job is stored.
   *
   * @param context of the request
   */
  submit(
    session: FrontSession,
    context: CallContext,
    request: Request,
    delivery: Exclude<RequestDelivery, { kind: 'inline' }>,
    sink: Sink,
  ): void
  /**
   * Puts an error for an invalid message on the stream where its session gets its answers. Returns false when the
   * tenant's profile answers immediately; then the error must be sent immediately as well.
   */
  refuse(session: FrontSession, refusal: Refusal, sink: Sink): boolean
}

export function createDeferredAnswers(parts: DeferredParts): DeferredAnswers {
  let gathering: Gathering | undefined

  const join = (sink: Sink): Joined | undefined => {
    if (sink.batched !== true) return undefined
    if (gathering?.sink !== sink) gathering = { sink, id: randomBytes(9).toString('base64url'), size: 0 }
    gathering.size += 1
    return { gathering, at: gathering.size - 1 }
  }

  const defer: DeferredAnswers['submit'] = (session, context, request, delivery, sink) => {
    // A deferred answer is stored unencrypted, which is not allowed when only the caller may read it.
    const encryption = encryptionAsked(request, session.context.extensions ?? noExtensions)
    if (encryption.kind !== 'none') {
      const later = 'Expected no "encrypt" in the options of a request that is answered later'
      const message = encryption.kind === 'invalid' ? encryption.message : later
      return sendRefusal(parts.emit, session, request, sink, 'invalid_params', { message })
    }
    const asked = { parts, session, context, request, sink }
    const submitting =
      delivery.kind === 'async'
        ? submitAsync(asked, delivery.idempotencyKey)
        : submitQueued(asked, delivery.idempotencyKey, join(sink))
    const caught = (error: unknown): void => parts.caught('request', error, { method: request.method })
    const failed = (error: unknown): void => {
      caught(error)
      sendRefusal(parts.emit, session, request, sink, 'internal_error')
    }
    // The sink itself may be what fails.
    submitting.catch(failed).catch(caught)
  }

  return {
    submit: defer,
    refuse(session, refusal, sink) {
      if (session.tenant.profile.delivery !== 'queued') return false
      refuseQueued(parts, session, refusal, sink, join(sink)).catch((error: unknown) => parts.caught('request', error))
      return true
    },
  }
}

async function refuseQueued(
  parts: DeferredParts,
  session: FrontSession,
  { text, status }: Refusal,
  sink: Sink,
  joined: Joined | undefined,
): Promise<void> {
  const batch = await batchOf(joined)
  const announcing = parts.announce(session)
  const announced = announcing instanceof Promise ? await announcing : announcing
  // When the session has ended, or its home node cannot be asked, no stream can carry the answer.
  const isDirect = announced !== 'known'
  await answer(parts, session, isDirect ? '' : text, batch)
  if (isDirect) void sink.send(text, true, undefined, status)
  else void sink.send(queuedText, true, undefined, 202)
}

/** Waits until the rest of the batch has arrived in this turn: then its size is known. */
async function batchOf(joined: Joined | undefined): Promise<JobBatch | undefined> {
  if (joined === undefined) return undefined
  await Promise.resolve()
  const { gathering, at } = joined
  return { id: gathering.id, size: gathering.size, at }
}

/** A request with its session, its context and the sink where it came. */
interface Asked {
  readonly parts: DeferredParts
  readonly session: FrontSession
  readonly context: CallContext
  readonly request: Request
  readonly sink: Sink
}

async function submitQueued(asked: Asked, idempotencyKey: string | undefined, joined?: Joined): Promise<void> {
  const { parts, session, request, sink } = asked
  const batch = await batchOf(joined)
  const submitted = await submitAnnounced(asked, { idempotencyKey, batch })
  if (submitted.kind === 'refused') {
    const { situation, details } = submitted
    const { text, status } = refusalOf(parts.emit, session, request, situation, details)
    const isDirect = session.tenant.profile.delivery !== 'queued' || concernsRequest(situation)
    await answer(parts, session, isDirect ? '' : text, batch)
    if (isDirect) return void sink.send(text, true, undefined, status)
    return void sink.send(queuedText, true, undefined, 202)
  }
  void sink.send(queuedText, true, undefined, 202)
  if (submitted.kind === 'known') await answerAgain(asked, submitted.record, batch)
}

/**
 * Whether an error is sent where the request came, although answers come on the stream: the client may try again, because
 * nothing is stored; it needs a better token, which a header asks for; or its session has ended and has no stream.
 */
function concernsRequest(situation: Situation): boolean {
  return catalogue[situation].retryable || situation === 'forbidden' || situation === 'session_unknown'
}

/** Informs the session's home node of the answer to come before the job is stored, so that the answer survives that node. */
async function submitAnnounced(asked: Asked, how: Parameters<typeof submit>[2]): Promise<Submitted> {
  const announcing = asked.parts.announce(asked.session)
  const announced = announcing instanceof Promise ? await announcing : announcing
  if (announced === 'session_ended') return { kind: 'refused', situation: 'session_unknown' }
  if (announced === 'unreachable') return { kind: 'refused', situation: 'fabric_unavailable' }
  return submit(asked, 'queued', how)
}

/** Answers a repeated request with the result of the first one. */
async function answerAgain(
  { parts, session, request }: Asked,
  first: JobRecord,
  batch: JobBatch | undefined,
): Promise<void> {
  const { host, jobs, log } = parts
  const exchange = createExchange(
    { id: host.nextId(), request, context: session.context, deadline: Infinity, attempt: 1 },
    host,
  )
  try {
    const record = await jobs.wait(keyOf(first), exchange)
    if (record === undefined) return
    const view = requestView(request, undefined, session.context, session.tenant.profile, 'queued')
    void answer(parts, session, createRenderer(view).render(lastOf(record))?.text ?? '', batch)
  } catch (error) {
    log.error('a job could not be read', { error })
  } finally {
    exchange.end('disconnected')
  }
}

function answer(
  { deliveries }: DeferredParts,
  session: FrontSession,
  text: string,
  batch: JobBatch | undefined,
): Promise<void> | undefined {
  const job = randomBytes(9).toString('base64url')
  return deliveries.deliver(session.home, { session: session.id, job, text, last: true, batch })
}

/** JSON-RPC 3.0, section 5.3, with the extension `async`: the ack contains the address where the client collects the result. */
async function submitAsync(asked: Asked, idempotencyKey: string | undefined): Promise<void> {
  const { parts, session, request, sink } = asked
  const token = newJobKey(session.jobOwner)
  const submitted = await submit(asked, 'async', { idempotencyKey, token })
  if (submitted.kind === 'refused') {
    return sendRefusal(parts.emit, session, request, sink, submitted.situation, submitted.details)
  }
  const { record } = submitted
  const jobQ = {
    url: parts.urlOf(session.tenant.name),
    // Only the hash of the first token is stored, so the ack of a repeated request has no token.
    ...(submitted.kind === 'stored' && { authToken: printJobToken(token, record.id) }),
    ttl: shownTtl(record.ttlMs),
  }
  void sink.send(printAck(request.id, payloadOf({ jobId: record.id, jobQ }), wantsStream(request)), true)
}

/** Submits a request as a job, if its rates and scopes allow it. A repeat of an earlier request does not count. */
async function submit(
  { parts, session, context, request }: Asked,
  kind: 'queued' | 'async',
  how: {
    readonly idempotencyKey: string | undefined
    readonly batch?: JobBatch | undefined
    readonly token?: string
  },
): Promise<Submitted> {
  const { idempotencyKey, batch, token } = how
  const counting = parts.judgeSubmission(request, context)
  const verdict = counting instanceof Promise ? await counting : counting
  if (verdict?.kind === 'refused') return verdict
  const trace = traceparentOf(metaOf(request), parts.startTrace)
  const submitted = await parts.jobs.submit({
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

/** A duration as `36h`, or in minutes or seconds when it is not a whole number of hours. */
function shownTtl(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}
