import { describeFabric, type GuardedUser, startGuardedNatsServer } from '@junctor/testkit'
import type { NatsConnection } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { acquainted, joinCluster, leaveCluster, type TestNode } from './nats-cluster.ts'

const cluster = 'junctor'

describeFabric('NATS, where a gateway and a worker may do what they need and nothing else', async () => {
  // The permissions are for one cluster, and each test needs an unused one.
  await using opened = new AsyncDisposableStack()
  const server = await startGuardedNatsServer()
  opened.defer(() => server.stop())
  const refused: string[] = []
  const join = async (user: GuardedUser): Promise<TestNode> => {
    const node = await joinCluster(server, { cluster, credentials: server.credentials(user) })
    opened.defer(() => leaveCluster(node))
    void collectRefused(node.connection, refused)
    return node
  }
  const [one, other] = [await join('gateway'), await join('worker')]
  await acquainted([one, other])
  const all = opened.move()
  return {
    fabrics: [one.fabric, other.fabric],
    async close() {
      await all.disposeAsync()
      if (refused.length > 0) throw new Error(`the server has refused ${refused.join('; ')}`)
    },
  }
})

/** Collects the permissions that the server refused to a node, until its connection ends. */
async function collectRefused(connection: NatsConnection, refused: string[]): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'error') refused.push(status.error.message)
  }
}

test('a node whose name is in use gets an error', async () => {
  const server = await startGuardedNatsServer()
  onTestFinished(() => server.stop())
  const join = (user: GuardedUser): Promise<TestNode> =>
    joinCluster(server, { cluster, node: 'n1', credentials: server.credentials(user) })
  const first = await join('gateway')
  await expect(join('worker')).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  await leaveCluster(first)
})
