import type { CallContext, Sink } from '@junctor/exchange'
import { describeJson, memberOf, type Request } from '@junctor/jsonrpc'
import { type Extensions, noExtensions } from '@junctor/protocol'
import type { FrontSession } from '../../sessions/session/front-session.ts'
import { BatchPositions } from './batch-positions.ts'
import type { DispatchParts } from '../requests/dispatch.ts'
import { encryptionAsked } from '../encryption/encryption-asked.ts'
import { encryptedLater } from '../encryption/inline-encryption.ts'
import type { RequestDelivery } from './request-delivery.ts'
import { refusalOf, sendRefusal } from '../requests/send-refusal.ts'
import { sendAnswer, type TextAnswer } from '../requests/text-answer.ts'
import { submitAsync, type SubmitAsyncParts } from './submit-async.ts'
import { refuseQueued, submitQueued, type SubmitQueuedParts } from './submit-queued.ts'

/** What deferred answers need. */
export interface DeferredParts extends SubmitQueuedParts, SubmitAsyncParts, Pick<DispatchParts, 'reportError'> {}

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
   * Sends an error for an invalid message where its session gets its answers: on its stream, or where the message came.
   *
   * @param session undefined: the message belongs to none that is known here
   */
  refuse(session: FrontSession | undefined, refusal: TextAnswer, sink: Sink): void
}

/**
 * Turns requests into jobs. Refused as `invalid_params` are requests whose answer must be encrypted, because a job's answer
 * is stored unencrypted, and those whose idempotency key is not a string.
 */
export function createDeferredAnswers(parts: DeferredParts): DeferredAnswers {
  const positions = new BatchPositions()

  const refuse = (session: FrontSession | undefined, refusal: TextAnswer, sink: Sink): void => {
    if (session?.tenant.profile.delivery !== 'queued') return void sendAnswer(sink, refusal)
    const refusing = refuseQueued(parts, { session, sink }, refusal, positions.next(sink))
    refusing.catch((error: unknown) => parts.reportError('request', error))
  }

  return {
    refuse,
    submit(session, context, request, delivery, sink) {
      const message = whyNotLater(request, session.context.extensions ?? noExtensions)
      if (message !== undefined) {
        const refusal = refusalOf(parts.emit, { client: session, request }, 'invalid_params', { message })
        // The ack of an `async` request, and so its refusal, is sent where it came.
        if (delivery.kind === 'queued') refuse(session, refusal, sink)
        else void sendAnswer(sink, refusal)
        return
      }
      const deferred = { session, context, request, sink }
      const { kind, idempotencyKey } = delivery
      const submitting =
        kind === 'async'
          ? submitAsync(parts, deferred, idempotencyKey)
          : submitQueued(parts, deferred, idempotencyKey, positions.next(sink))
      const reportError = (error: unknown): void => parts.reportError('request', error, { method: request.method })
      submitting.catch((error: unknown) => {
        reportError(error)
        try {
          sendRefusal(parts.emit, { client: session, request, sink }, 'internal_error')
        } catch (unsent) {
          // The sink itself may be what fails.
          reportError(unsent)
        }
      })
    },
  }
}

/** Why the answer to a request cannot come later. Undefined: it can. */
function whyNotLater(request: Request, extensions: Extensions): string | undefined {
  // A deferred answer is stored unencrypted, which is not allowed when only the caller may read it.
  const encryption = encryptionAsked(request, extensions)
  if (encryption.kind !== 'none') return encryption.kind === 'invalid' ? encryption.message : encryptedLater
  const key = memberOf(request.options?.value(), 'idempotencyKey') ?? undefined
  // Without its key, a repeat would run again.
  if (key === undefined || typeof key === 'string') return undefined
  return `Expected options.idempotencyKey to be a string, got ${describeJson(key)}`
}
