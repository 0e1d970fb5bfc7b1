import type { Log } from '@junctor/exchange'
import { type JetStreamClient, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { ConnectionState } from './connection-state.ts'

/** What stored things are kept with. */
export interface Storage {
  readonly connection: NatsConnection
  readonly state: ConnectionState
  readonly jetStream: JetStreamClient
  readonly manager: JetStreamManager
  /** Servers that keep each stored thing. */
  readonly replicas: number
  readonly log: Log
}

/** For one answer of the server, in milliseconds; who gets none asks again. */
export const answerMs = 1_200

/** For whatever is asked of the storage, with all that it takes, in milliseconds. */
export const operationMs = 4_000

/** What to store things with over a connection of `connectNats`, which has seen that JetStream is there. */
export async function openStorage(
  connection: NatsConnection,
  replicas: number,
  log: Log,
  state: ConnectionState = new ConnectionState(connection),
): Promise<Storage> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: answerMs })
  return { connection, state, manager, jetStream: manager.jetstream(), replicas, log }
}
