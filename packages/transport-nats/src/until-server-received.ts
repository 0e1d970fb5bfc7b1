import { settlesWithin } from '@junctor/primitives'
import type { NatsConnection } from '@nats-io/transport-node'

/** How long to wait for the server's answer, in milliseconds. While the server is away, nothing waits for it. */
const timeoutMs = 1_000

/** Waits until the server has received what was sent, if it is reachable and answers soon. */
export async function untilServerReceived(connection: NatsConnection, say: () => Promise<void>): Promise<void> {
  if (connection.isClosed()) return
  try {
    await settlesWithin(say(), timeoutMs)
  } catch {
    // The connection is lost, so the server receives nothing.
  }
}
