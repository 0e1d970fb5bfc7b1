import { headersOf } from '@junctor/nats'
import { createInbox, type Msg, nanos, TimeoutError } from '@nats-io/transport-node'
import { answerMs, type Storage } from './storage.ts'
import { fromDelivered, type SealedMessage } from './stored-message.ts'

/** A consumer of a stream, by their names. */
export interface NamedConsumer {
  readonly stream: string
  readonly name: string
}

/** What a delivery counts besides a message as it was published: its subjects, in bytes. */
const subjectBytes = 4_096

/**
 * The messages that a new consumer has now, in portions: on a slow link, other messages for this node wait behind each.
 * A server ends a request for a portion also when it is slow or restarts: the rest is requested again. What is left out
 * was deleted meanwhile.
 *
 * @param count how many it had
 * @param end when to give up if no more messages arrive, on the monotonic clock
 */
export async function fetchMessages(
  storage: Pick<Storage, 'connection' | 'manager' | 'state'>,
  consumer: NamedConsumer,
  count: number,
  end: number,
): Promise<readonly SealedMessage[]> {
  const messages: SealedMessage[] = []
  for (let wanted = count; wanted > 0;) {
    // oxlint-disable-next-line no-await-in-loop -- one request after the other
    const some = await fetchSome(storage, consumer, wanted)
    messages.push(...some)
    if (some.length === wanted) break
    if (some.length === 0 && performance.now() >= end) throw new TimeoutError()
    // oxlint-disable-next-line no-await-in-loop
    wanted = Math.min(wanted - some.length, await pendingOf(storage, consumer))
  }
  return messages
}

async function pendingOf({ manager }: Pick<Storage, 'manager'>, { stream, name }: NamedConsumer): Promise<number> {
  try {
    return (await manager.consumers.info(stream, name)).num_pending
  } catch (error) {
    // The consumer is in the memory of a server that has ended: everything must be read again.
    throw new TimeoutError({ cause: error })
  }
}

/** The messages until the server ends the request: no more bytes than the largest message has. */
async function fetchSome(
  { connection, state }: Pick<Storage, 'connection' | 'state'>,
  { stream, name }: NamedConsumer,
  count: number,
): Promise<readonly SealedMessage[]> {
  const inbox = createInbox()
  const subscription = connection.subscribe(inbox, { max: count + 1 })
  // Not `no_wait`: an old server does not answer when messages are deleted before it delivers them.
  const most = state.maxPayload + subjectBytes
  const request = { batch: count, expires: nanos(answerMs / 2), max_bytes: most }
  connection.publish(nextSubject(stream, name), JSON.stringify(request), { reply: inbox })
  const timer = setTimeout(() => subscription.unsubscribe(), answerMs + answerMs / 2)
  const messages: SealedMessage[] = []
  try {
    for await (const message of subscription) {
      if (statusOf(message) !== undefined) return messages
      timer.refresh()
      messages.push(fromDelivered(message))
      if (messages.length === count) return messages
    }
  } finally {
    clearTimeout(timer)
  }
  throw new TimeoutError()
}

/** The subject for requests to a consumer. */
export function nextSubject(stream: string, consumer: string): string {
  return `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`
}

/** The status code when the server reports that there is no message; undefined for a message. */
export function statusOf(message: Msg): number | undefined {
  const code = headersOf(message)?.code ?? 0
  return message.data.length === 0 && code >= 400 ? code : undefined
}
