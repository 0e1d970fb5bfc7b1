import type { NatsConnection, Status } from '@nats-io/transport-node'

/** What `status` gives; its type does not say that it can be ended. */
type Statuses = AsyncIterable<Status> & { stop(): void }

/**
 * Tells each time that the connection to NATS is lost, though it may come back: what was on its way to this side is gone
 * then. Until `stop`, or until it is closed, which is told too.
 *
 * @param failed told of what `lost` throws
 */
export function whenLost(
  connection: NatsConnection,
  lost: () => void,
  failed: (error: unknown) => void,
): { stop(): void } {
  const statuses = connection.status() as Statuses
  let over = false
  const tell = (): void => {
    try {
      if (!over) lost()
    } catch (error) {
      failed(error)
    }
  }
  const follow = async (): Promise<void> => {
    for await (const { type } of statuses) if (type === 'disconnect') tell()
    tell()
  }
  void follow()
  return {
    stop() {
      over = true
      statuses.stop()
    },
  }
}
