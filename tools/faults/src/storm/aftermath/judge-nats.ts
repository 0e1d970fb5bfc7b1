import type { NatsState } from './nats-state.ts'

/** How many more subscriptions a connection may have: a node makes some requests occasionally. */
const perConnection = 2

/**
 * What NATS holds after a storm but did not hold before, as texts; empty when nothing.
 *
 * @param before the state when all nodes were up and there were no clients yet
 * @param after the state when all nodes are up again and all clients have gone
 * @param kept the allowed number of messages in a stream, by its name; other streams have as many as before
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
    // Streams are created at first use, with one consumer for a queue.
    more(`consumers of ${name}`, was?.consumers ?? 1, consumers)
    more(`messages in ${name}`, kept(name) ?? was?.messages ?? 0, messages)
  }
  return faults
}
