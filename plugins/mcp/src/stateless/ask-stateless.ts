import { JunctorError, type Payload, type Response } from '@junctor/plugin-sdk/link'
import { orAborted } from '../link/or-aborted.ts'
import { declared } from './declare.ts'
import type { StatelessWire } from './stateless-wire.ts'

/** Sends a request that belongs to no client call. Rejects when there is no response, or when the signal aborts. */
export async function askStateless(
  wire: Pick<StatelessWire, 'send'>,
  method: string,
  params: Payload | undefined,
  signal: AbortSignal,
): Promise<Response> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const sent = wire.send(method, declared(params, { capabilities: {} }), {
    notification() {},
    answered: resolve,
    failed: ({ problem = 'the connection was lost' }) =>
      reject(new JunctorError('BACKEND_UNREACHABLE', `${method}: ${problem}`)),
  })
  return orAborted(promise, signal, () => sent.cancel('aborted'))
}
