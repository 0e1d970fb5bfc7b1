import { type JetStreamClient, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'

/** What stored things are kept with. */
export interface Storage {
  readonly connection: NatsConnection
  readonly jetStream: JetStreamClient
  readonly manager: JetStreamManager
  /** Servers that keep each stored thing. */
  readonly replicas: number
}

/** For one answer of the server, in milliseconds. */
export const answerMs = 2_000

/** What to store things with over a connection of `connectNats`, which has seen that JetStream is there. */
export async function openStorage(connection: NatsConnection, replicas: number): Promise<Storage> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: answerMs })
  return { connection, manager, jetStream: manager.jetstream(), replicas }
}
