import type { NatsConnection, Status } from '@nats-io/transport-node'

/** What `status` gives; its type does not say that it can be ended. */
type Statuses = AsyncIterable<Status> & { stop(): void }

/**
 * Tells each time that the connection to NATS is lost, though it may come back: what was on its way to this side is gone
 * then. Until `stop`, or until it is closed, which is told too.
 */
export function whenLost(connection: NatsConnection, lost: () => void): { stop(): void } {
  const statuses = connection.status() as Statuses
  let over = false
  const follow = async (): Promise<void> => {
    for await (const { type } of statuses) if (type === 'disconnect' && !over) lost()
    if (!over) lost()
  }
  void follow()
  return {
    stop() {
      over = true
      statuses.stop()
    },
  }
}
