import { silentLog } from '@junctor/exchange'
import { connectNats } from '@junctor/nats'
import type { NatsServer } from '@junctor/testkit'
import { openStorage, type Storage } from '../src/storage.ts'

/** What a node stores things with, over a connection of its own. */
export async function connectStorage({ url }: Pick<NatsServer, 'url'>): Promise<Storage> {
  return openStorage(await connectNats({ servers: [url] }, silentLog), 1, silentLog)
}
