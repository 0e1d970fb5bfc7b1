import { type NatsServer, startNatsServer } from '@junctor/testkit'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'

/** The connections that the tests of one file use. */
export interface BusFixture {
  readonly nats: NatsServer
  /** For this test alone. */
  readonly connection: NatsConnection
}

/** Starts a server without storage before the tests of a file, and ends it after them. */
export function busFixture(): BusFixture {
  let nats: NatsServer
  let connection: NatsConnection
  beforeAll(async () => {
    nats = await startNatsServer({ jetStream: false })
  })
  beforeEach(async () => {
    connection = await connect({ servers: nats.url })
    onTestFinished(() => connection.close())
  })
  afterAll(() => nats.stop())
  return {
    get nats() {
      return nats
    },
    get connection() {
      return connection
    },
  }
}
