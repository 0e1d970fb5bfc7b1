import type { NatsConnection, Status } from '@nats-io/transport-node'

/** The iterator of `connection.status()`; its declared type has no `stop`. */
type Statuses = AsyncIterable<Status> & { stop(): void }

/** What is done when a connection to NATS changes. */
export interface ConnectionFollower {
  /** Each time that the connection is lost, even if it comes back: messages to this side are lost then. */
  lost?(): void
  /** Each time that it is back. */
  returned?(): void
  /** Once, when it is closed. */
  closed(): void
}

/**
 * Follows the changes of a connection until `stop`, or until the connection is closed.
 *
 * @param failed called with an exception of the follower
 */
export function followConnection(
  connection: NatsConnection,
  follower: ConnectionFollower,
  failed: (error: unknown) => void,
): { stop(): void } {
  const statuses = connection.status() as Statuses
  let over = false
  const notify = (change: 'lost' | 'returned' | 'closed'): void => {
    try {
      if (!over) follower[change]?.()
    } catch (error) {
      failed(error)
    }
  }
  const follow = async (): Promise<void> => {
    for await (const { type } of statuses) {
      if (type === 'disconnect') notify('lost')
      else if (type === 'reconnect') notify('returned')
    }
    notify('closed')
  }
  void follow()
  return {
    stop() {
      over = true
      statuses.stop()
    },
  }
}
