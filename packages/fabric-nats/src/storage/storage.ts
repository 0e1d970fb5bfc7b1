import type { ErrorReporter, Log, UnreadableReporter } from '@junctor/contracts'
import { type JetStreamClient, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { ConnectionState } from '../bus/connection-state.ts'
import type { ForeignMessages } from '../bus/foreign-messages.ts'
import type { StoredSeal } from '../seal/stored-seal.ts'

/** What a node supplies for its storage. */
export interface StorageParts {
  readonly connection: NatsConnection
  /** The number of servers that store each value. */
  readonly replicas: number
  readonly log: Log
  /** Called with exceptions in loops. */
  readonly reportError: ErrorReporter
  /** Called with stored data that are not JSON. */
  readonly unreadable: UnreadableReporter
  /** Encrypts everything that is stored. */
  readonly seal: StoredSeal
  /** Called for data that the seal does not open. */
  readonly foreign: ForeignMessages
}

/** The storage of a node. */
export interface Storage extends StorageParts {
  readonly state: ConnectionState
  readonly jetStream: JetStreamClient
  readonly manager: JetStreamManager
  /** The streams that the servers have refused to create, for example beyond the limits of the account. */
  readonly refused: Set<{ make(): Promise<void> }>
}

/** Timeout for one answer of the server, in milliseconds; after it the request is sent again. */
export const answerMs = 1_200

/** Timeout for a whole storage operation, in milliseconds. */
export const operationMs = 4_000

/** Opens the storage over a connection of `connectNats`, which has checked that JetStream is available. */
export async function openStorage(parts: StorageParts): Promise<Storage> {
  const { connection } = parts
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: answerMs })
  return {
    ...parts,
    state: new ConnectionState(connection, parts.reportError),
    manager,
    jetStream: manager.jetstream(),
    refused: new Set(),
  }
}
