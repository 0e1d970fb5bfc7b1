import { methods, type Notification, type Request, type Response } from '@junctor/plugin-sdk/link'
import type { HttpFailure, HttpSession } from '@junctor/transport-http/back'
import { cancellation } from './cancellation.ts'

/**
 * Sends a request that is nobody's call. Rejects when the signal aborts; the upstream is then told, except of
 * `initialize`, which cannot be cancelled.
 *
 * @param related takes what the upstream says on the request's stream
 */
export async function requestOverHttp(
  session: HttpSession,
  request: Request,
  related: (message: Request | Notification) => void,
  signal: AbortSignal,
): Promise<Response | HttpFailure> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Response | HttpFailure>()
  const answer = session.request(request, { message: related, answered: resolve, failed: resolve })
  const abort = (): void => {
    answer.abandon(request.method === methods.initialize ? undefined : cancelled(request))
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', abort)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function cancelled({ id }: Request): Notification {
  const params = cancellation(id, 'aborted')
  return { kind: 'notification', dialect: '2.0', method: methods.notificationsCancelled, params }
}

/** Whether what came is no response. */
export function isFailure(end: Response | HttpFailure): end is HttpFailure {
  return end.kind !== 'result' && end.kind !== 'error'
}
