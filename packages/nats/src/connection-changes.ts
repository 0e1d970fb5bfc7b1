import type { NatsConnection } from '@nats-io/transport-node'

/** A connection is lost, or restored after that. */
export type ConnectionChange = 'lost' | 'restored'

/**
 * The changes of a connection until it is closed. While a server refuses the credentials, the library reports a loss for
 * each attempt, and in the end a restoration for each of them: that is one change here, so that an hour without access
 * is not followed by thousands of returns.
 */
export async function* connectionChanges(
  connection: Pick<NatsConnection, 'status'>,
): AsyncGenerator<ConnectionChange, void> {
  let last: ConnectionChange | undefined
  for await (const { type } of connection.status()) {
    const change = type === 'disconnect' ? 'lost' : type === 'reconnect' ? 'restored' : last
    if (change === last || change === undefined) continue
    last = change
    yield change
  }
}
