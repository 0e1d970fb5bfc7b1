import type { NatsConnection } from '@nats-io/transport-node'
import { followConnection } from './follow-connection.ts'

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
  return followConnection(connection, { lost, closed: lost }, failed)
}
