import type { NatsConnection, Status } from '@nats-io/transport-node'

/** The iterator of `connection.status()`; its declared type has no `stop`. */
type Statuses = AsyncIterable<Status> & { stop(): void }

/**
 * Calls `lost` each time that the connection to NATS is lost, even if it comes back: messages to this side are lost
 * then. Until `stop`, or until the connection is closed, for which it calls `lost` too.
 *
 * @param failed called with an exception of `lost`
 */
export function whenLost(
  connection: NatsConnection,
  lost: () => void,
  failed: (error: unknown) => void,
): { stop(): void } {
  const statuses = connection.status() as Statuses
  let over = false
  const notify = (): void => {
    try {
      if (!over) lost()
    } catch (error) {
      failed(error)
    }
  }
  const follow = async (): Promise<void> => {
    for await (const { type } of statuses) if (type === 'disconnect') notify()
    notify()
  }
  void follow()
  return {
    stop() {
      over = true
      statuses.stop()
    },
  }
}
