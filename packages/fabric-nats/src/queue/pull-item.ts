import { createInbox, type Msg, nanos } from '@nats-io/transport-node'
import type { Storage } from '../storage/storage.ts'
import { statusOf } from '../storage/fetch-messages.ts'

/** The timeout of one request for an item, in milliseconds: a request that is lost with its connection ends then. */
const requestMs = 5_000

/** How long a server may take to report the end of a request, in milliseconds. */
const graceMs = 1_000

/**
 * The result of a request: an item, nothing in time, an abort of the signal, or a server that cannot serve it now.
 */
export type Pulled =
  | { readonly kind: 'item'; readonly message: Msg }
  | { readonly kind: 'nothing' | 'aborted' | 'refused' }

const nothingInTime = 408

/** The answer to an item that arrives too late, so that other takers get it. */
const giveBack = '-NAK'

/**
 * Asks a consumer for one item, and waits for it for some seconds.
 *
 * @param subject of the consumer's requests
 */
export async function pullItem(
  { connection, state, reportError }: Pick<Storage, 'connection' | 'state' | 'reportError'>,
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
        reportError('message', error, { subject })
      }
    },
  })
  const abort = (): void => settle({ kind: 'aborted' })
  signal.addEventListener('abort', abort, { once: true })
  // A request from before a loss of the connection may be lost with it.
  const stop = state.onReconnect(() => settle({ kind: 'nothing' }))
  const timer = setTimeout(() => settle({ kind: 'nothing' }), requestMs + graceMs)
  connection.publish(subject, JSON.stringify({ batch: 1, expires: nanos(requestMs) }), { reply: inbox })
  const pulled = await promise
  clearTimeout(timer)
  stop()
  signal.removeEventListener('abort', abort)
  // An item may still be in transit: it is given back. The drain fails only with the connection, and then no item
  // comes.
  subscription.drain().catch(() => {})
  return pulled
}
