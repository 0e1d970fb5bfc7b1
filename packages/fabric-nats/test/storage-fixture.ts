import { type Subjects, subjectsOf } from '@junctor/nats'
import { type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Storage } from '../src/storage/storage.ts'
import { connectStorage } from './connect-storage.ts'

/** The storage for the tests of one file. */
export interface StorageFixture {
  readonly server: NatsServer
  readonly storage: Storage
  /** The subjects of a cluster that no other test uses. */
  readonly subjects: Subjects
}

/** Starts a server before the tests of a file, and ends it after them. */
export function storageFixture(): StorageFixture {
  let server: NatsServer
  let storage: Storage
  let tests = 0
  let subjects: Subjects
  beforeAll(async () => {
    server = await startNatsServer()
    storage = await connectStorage(server)
  })
  beforeEach(() => {
    tests += 1
    subjects = subjectsOf(`test ${tests}`)
  })
  afterAll(async () => {
    await storage.connection.close()
    await server.stop()
  })
  return {
    get server() {
      return server
    },
    get storage() {
      return storage
    },
    get subjects() {
      return subjects
    },
  }
}
