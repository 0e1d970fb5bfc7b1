import { type Closed, methods, type Payload, type Peer, type Response } from '@junctor/plugin-sdk/link'
import { cancellation } from '../link/cancellation.ts'
import { orAborted } from '../link/or-aborted.ts'

/**
 * Sends a request that belongs to no client call. Rejects when the connection ends, or when the signal aborts; in the
 * second case it cancels the request upstream, except `initialize`, which cannot be cancelled.
 */
export async function requestOnPeer(
  peer: Peer,
  method: string,
  params: Payload | undefined,
  signal: AbortSignal,
): Promise<Response> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const id = peer.call(method, params, {
    settled: (end: Response | Closed) => (end.kind === 'closed' ? reject(end.error) : resolve(end)),
  })
  return orAborted(promise, signal, () => {
    if (!peer.forget(id) || method === methods.initialize) return
    void peer.notify(methods.notificationsCancelled, cancellation(id, 'aborted'))
  })
}
