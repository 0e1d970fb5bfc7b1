import { createErrorReporter, createUnreadableReporter, silentLog, emitNothing } from '@junctor/contracts'
import { connectNats } from '@junctor/nats'
import type { NatsServer } from '@junctor/testkit'
import { createClusterKey } from '../src/seal/cluster-key.ts'
import { ForeignMessages } from '../src/bus/foreign-messages.ts'
import { openStorage, type Storage } from '../src/storage/storage.ts'
import { StoredSeal } from '../src/seal/stored-seal.ts'
import { clusterKey } from './nats-cluster.ts'

/** The storage of a node, over its own connection. */
export async function connectStorage({ url }: Pick<NatsServer, 'url'>): Promise<Storage> {
  return openStorage({
    connection: await connectNats({ servers: [url] }, silentLog),
    replicas: 1,
    log: silentLog,
    reportError: createErrorReporter(silentLog, emitNothing),
    unreadable: createUnreadableReporter(silentLog, emitNothing),
    seal: new StoredSeal([createClusterKey(clusterKey)]),
    foreign: new ForeignMessages(silentLog),
  })
}
