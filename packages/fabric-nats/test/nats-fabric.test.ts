import { describeFabric, type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll } from 'vitest'
import { acquainted, joinCluster, leaveCluster } from './nats-cluster.ts'

let server: NatsServer
let clusters = 0

beforeAll(async () => {
  server = await startNatsServer()
})

afterAll(async () => {
  await server.stop()
})

describeFabric('NATS', async () => {
  clusters += 1
  const cluster = `contract ${clusters}`
  const nodes = [await joinCluster(server, { cluster }), await joinCluster(server, { cluster })] as const
  await acquainted(nodes)
  return {
    fabrics: [nodes[0].fabric, nodes[1].fabric],
    async close() {
      for (const node of nodes) await leaveCluster(node)
    },
  }
})
