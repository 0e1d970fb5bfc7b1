import { type NatsServer, startNatsServer } from '@junctor/testkit'
import { test, type TestAPI } from 'vitest'

/**
 * `test` with a real nats-server for tests that use it. The server is started for the first one and shared within a
 * file.
 */
export const natsTest: TestAPI<{ nats: NatsServer }> = test.extend<{ nats: NatsServer }>({
  nats: [
    // oxlint-disable-next-line no-empty-pattern -- which fixtures are needed is read off the pattern
    async ({}, use) => {
      const server = await startNatsServer()
      await use(server)
      await server.stop()
    },
    { scope: 'file' },
  ],
})
