import type { NatsState } from './nats-state.ts'

/** Subscriptions may differ by this much for each connection: those of requests that a node makes from time to time. */
const perConnection = 2

/**
 * What NATS holds after a storm and did not before, in words; empty: nothing.
 *
 * @param before when all nodes were up and nobody had come
 * @param after when all are up again and everybody has gone
 * @param kept how many messages may be in a stream, by its name; others have as many as before
 */
export function judgeNats(
  before: NatsState,
  after: NatsState,
  kept: (stream: string) => number | undefined,
): readonly string[] {
  const faults: string[] = []
  const more = (what: string, was: number, is: number): void => {
    if (is > was) faults.push(`${what}: ${was} before, ${is} after`)
  }
  more('connections to NATS', before.connections, after.connections)
  more('subscriptions', before.subscriptions + perConnection * before.connections, after.subscriptions)
  for (const [name, { messages, consumers }] of Object.entries(after.streams)) {
    const was = before.streams[name]
    // Streams are made when they are first used, with one consumer for a queue.
    more(`consumers of ${name}`, was?.consumers ?? 1, consumers)
    more(`messages in ${name}`, kept(name) ?? was?.messages ?? 0, messages)
  }
  return faults
}
