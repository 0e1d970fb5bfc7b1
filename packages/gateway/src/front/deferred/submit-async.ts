import type { Emit } from '@junctor/contracts'
import { payloadOf, printAck, wantsStream } from '@junctor/jsonrpc'
import { newJobKey, printJobToken } from '../../jobs/record/job-token.ts'
import { sendRefusal } from '../requests/send-refusal.ts'
import { type DeferredRequest, submitDeferred, type SubmitDeferredParts } from './submit-deferred.ts'

/** What a request needs whose client collects the answer. */
export interface SubmitAsyncParts extends SubmitDeferredParts {
  readonly emit: Emit
  /** The URL where clients collect the jobs of a tenant: absolute if a public URL is configured, else a path. */
  urlOf(tenant: string): string
}

/**
 * Creates a job whose answer the client collects. The ack contains the address for that (JSON-RPC 3.0, section 5.3, with
 * the extension `async`).
 */
export async function submitAsync(
  parts: SubmitAsyncParts,
  deferred: DeferredRequest,
  idempotencyKey: string | undefined,
): Promise<void> {
  const { session, request, sink } = deferred
  const token = newJobKey(session.owner)
  const submitted = await submitDeferred(parts, deferred, { kind: 'async', idempotencyKey, token })
  if (submitted.kind === 'refused') {
    return sendRefusal(parts.emit, { client: session, request, sink }, submitted.situation, submitted.details)
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

/** A duration as `36h`, or in minutes or seconds when it is not a whole number of hours. */
function shownTtl(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}
