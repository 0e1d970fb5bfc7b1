import { createInbox, type Msg, nanos } from '@nats-io/transport-node'
import type { Storage } from './storage.ts'
import { statusOf } from './stored-stream.ts'

/** How long one request for an item stands, in milliseconds: one that is lost with its connection is noticed after that. */
const requestMs = 5_000

/** What a server takes at most to say that a request has ended, in milliseconds. */
const graceMs = 1_000

/**
 * What came of a request: an item, or nothing in that time, or the signal was first, or the server cannot serve it now.
 */
export type Pulled =
  | { readonly kind: 'item'; readonly message: Msg }
  | { readonly kind: 'nothing' | 'aborted' | 'refused' }

const nothingInTime = 408

/** What an item that came for nobody is answered, so that others get it. */
const giveBack = '-NAK'

/**
 * Asks a consumer for one item, and waits for it for some seconds.
 *
 * @param subject where the consumer is asked
 */
export async function pullItem(
  { connection, state, caught }: Pick<Storage, 'connection' | 'state' | 'caught'>,
  subject: string,
  signal: AbortSignal,
): Promise<Pulled> {
  if (signal.aborted) return { kind: 'aborted' }
  const { promise, resolve } = Promise.withResolvers<Pulled>()
  let waits = true
  const settle = (pulled: Pulled): void => {
    waits = false
    resolve(pulled)
  }
  const inbox = createInbox()
  const subscription = connection.subscribe(inbox, {
    callback: (_error, message) => {
      try {
        const status = statusOf(message)
        if (status === undefined) {
          if (waits) settle({ kind: 'item', message })
          else message.respond(giveBack)
        } else if (waits) settle({ kind: status === nothingInTime ? 'nothing' : 'refused' })
      } catch (error) {
        caught('message', error, { subject })
      }
    },
  })
  const abort = (): void => settle({ kind: 'aborted' })
  signal.addEventListener('abort', abort, { once: true })
  // A request that was made before the connection was lost may be lost with it.
  const stop = state.onBack(() => settle({ kind: 'nothing' }))
  const timer = setTimeout(() => settle({ kind: 'nothing' }), requestMs + graceMs)
  connection.publish(subject, JSON.stringify({ batch: 1, expires: nanos(requestMs) }), { reply: inbox })
  const pulled = await promise
  clearTimeout(timer)
  stop()
  signal.removeEventListener('abort', abort)
  // An item may be on its way still: it is given back. Fails with the connection, and then nothing comes.
  subscription.drain().catch(() => {})
  return pulled
}
