import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Cluster, createCluster } from './support/cluster.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const plugin = fileURLToPath(new URL('support/shout-plugin.ts', import.meta.url))

let cluster: Cluster
beforeAll(async () => {
  cluster = await createCluster({ own: { plugin, mark: '!', runsOn: 'workers' } })
})
afterAll(() => cluster.close())

test('a worker loads the plugins that its configuration names', async () => {
  const worker = await cluster.startWorker()
  const client = await cluster.openClient(await cluster.startGateway())
  await expect
    .poll(() => client.callTool({ name: 'own__shout', arguments: { text: 'hi' } }), { timeout: 20_000 })
    .toMatchObject({ content: [{ type: 'text', text: `HI! ${worker.child.pid}` }] })
})
