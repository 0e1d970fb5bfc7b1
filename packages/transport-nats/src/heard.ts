import { within } from '@junctor/primitives'
import type { NatsConnection } from '@nats-io/transport-node'

/** For the server to answer, in milliseconds: while it is away nobody waits for it. */
const patienceMs = 1_000

/** Waits until the server has heard of something, if it is there and soon does. */
export async function heard(connection: NatsConnection, say: () => Promise<void>): Promise<void> {
  if (connection.isClosed()) return
  try {
    await within(say(), patienceMs)
  } catch {
    // The connection is lost, and with it whoever was to hear.
  }
}
