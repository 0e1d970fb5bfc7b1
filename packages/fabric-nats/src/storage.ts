import type { Caught, Log } from '@junctor/contracts'
import { type JetStreamClient, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { ConnectionState } from './connection-state.ts'
import type { ForeignMessages } from './foreign-messages.ts'
import type { StoredSeal } from './stored-seal.ts'

/** What a node brings along to store things. */
export interface StorageParts {
  readonly connection: NatsConnection
  /** Servers that keep each stored thing. */
  readonly replicas: number
  readonly log: Log
  /** Told of what a loop has caught. */
  readonly caught: Caught
  /** Everything that is stored is closed with it. */
  readonly seal: StoredSeal
  /** Told of what the seal does not open. */
  readonly foreign: ForeignMessages
}

/** What stored things are kept with. */
export interface Storage extends StorageParts {
  readonly state: ConnectionState
  readonly jetStream: JetStreamClient
  readonly manager: JetStreamManager
}

/** For one answer of the server, in milliseconds; who gets none asks again. */
export const answerMs = 1_200

/** For whatever is asked of the storage, with all that it takes, in milliseconds. */
export const operationMs = 4_000

/** What to store things with over a connection of `connectNats`, which has seen that JetStream is there. */
export async function openStorage(parts: StorageParts): Promise<Storage> {
  const { connection } = parts
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: answerMs })
  return { ...parts, state: new ConnectionState(connection, parts.caught), manager, jetStream: manager.jetstream() }
}
