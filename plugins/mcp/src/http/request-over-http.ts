import { methods, type Notification, type Request, type Response } from '@junctor/plugin-sdk/link'
import type { HttpFailure, HttpSession } from '@junctor/transport-http/back'
import { cancellation } from '../link/cancellation.ts'
import { orAborted } from '../link/or-aborted.ts'

/**
 * Sends a request that belongs to no client call. Rejects when the signal aborts, and then cancels the request
 * upstream, except `initialize`, which cannot be cancelled.
 *
 * @param related called with the upstream messages on the request's stream
 */
export async function requestOverHttp(
  session: HttpSession,
  request: Request,
  related: (message: Request | Notification) => void,
  signal: AbortSignal,
): Promise<Response | HttpFailure> {
  signal.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<Response | HttpFailure>()
  const answer = session.request(request, { message: related, answered: resolve, failed: resolve })
  return orAborted(promise, signal, () =>
    answer.abandon(request.method === methods.initialize ? undefined : cancelled(request)),
  )
}

function cancelled({ id }: Request): Notification {
  const params = cancellation(id, 'aborted')
  return { kind: 'notification', dialect: '2.0', method: methods.notificationsCancelled, params }
}

/** Whether the end of a request is a failure and not a response. */
export function isFailure(end: Response | HttpFailure): end is HttpFailure {
  return end.kind !== 'result' && end.kind !== 'error'
}
