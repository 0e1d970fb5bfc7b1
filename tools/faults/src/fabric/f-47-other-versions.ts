import assert from 'node:assert/strict'
import { createExchange, type Host } from '@junctor/exchange'
import { silentLog } from '@junctor/contracts'
import { createNatsFabric } from '@junctor/fabric-nats'
import { payloadOf, requestId } from '@junctor/jsonrpc'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { withConnection } from './raw-nats.ts'
import { ask, call, cluster, clusterKey, fabricMetric, readiness, submit, withFabric } from './scene.ts'

/** Announcements that a node of a later version may send. */
const abouts = [
  {},
  { role: 'oracle' },
  { role: 'worker', name: 7, backends: 'all' },
  {
    role: 'worker',
    name: 'next',
    version: '9.0.0',
    startedAt: 'soon',
    backends: { next: { state: 'dreaming', tools: '3' } },
  },
  { role: 'gateway', backends: { work: null }, more: { than: ['anybody', { knows: true }] } },
]

/** Controls that this version does not know, or knows with other bodies. */
const controls = ['from-the-future', 'job-ended', 'job-cancel', 'session-ended', 'extensions', 'end', 'cancel'].flatMap(
  (kind) => [null, 7, 'text', [], {}, { key: {} }, { session: 7, extensions: 'all' }].map((body) => ({ kind, body })),
)

const services = [
  '$session',
  '$resume',
  '$job',
  '$post',
  '$refused',
  '$deliver',
  '$taken',
  '$events',
  '$link 1',
  '$unknown',
  'work',
]

/** A node of another version is in the cluster: its messages are ignored, or answered with a named error. */
export const otherVersions: Scenario = {
  id: 'F-47',
  title: 'a node of another version sends unknown messages',
  ways: ['http'],
  run: () =>
    withFabric({ gateways: 1 }, async ({ server, gateways, connect }) => {
      const [one] = gateways
      assert(one)
      const peer = await connect()
      const asked = await withConnection(server, async (connection) => {
        const fabric = await createNatsFabric({ connection, cluster, keys: [clusterKey], log: silentLog })
        try {
          await until('a gateway that sees the node', async () => (await fabricMetric(one, 'nodes')) === 2)
          const [node] = await others(fabric)
          assert(node !== undefined)
          for (const about of abouts) fabric.announce(about)
          for (const control of controls) {
            // oxlint-disable-next-line no-await-in-loop
            assert(await fabric.send(node, control))
          }
          const outcomes = await Promise.all(
            services.flatMap((service) =>
              [null, 7, 'text', [], { session: 7, stream: {}, key: [] }].map(async (params) => {
                const request = {
                  kind: 'request' as const,
                  dialect: '2.0' as const,
                  id: requestId(1),
                  method: 'method/of-the-future',
                  params: payloadOf(params),
                }
                const exchange = createExchange(
                  { id: `x-${service}`, request, context, deadline: Date.now() + 20_000, attempt: 1 },
                  host,
                )
                const outcome = await fabric.call({ service, node }, request, exchange)
                exchange.settle(outcome)
                return outcome.kind
              }),
            ),
          )
          return outcomes.length
        } finally {
          await fabric.close()
        }
      })
      assert.equal((await call(peer, 'adds', 'after')).text, 'after')
      const task = await submit(peer, 'sets', 'task')
      assert.equal((await ask(peer, 'tasks/result', { taskId: task.id })).text, 'task')
      assert.equal(await readiness(one), 'ready')
      await until('a gateway that sees the node leave', async () => (await fabricMetric(one, 'nodes')) === 1)
      assert(!one.stderr().includes('"level":"fatal"'))
      return `${abouts.length} announcements, ${controls.length} controls and ${asked} calls of another version: all is as before`
    }),
}

/** The other nodes of the cluster. */
async function others(fabric: Awaited<ReturnType<typeof createNatsFabric>>): Promise<readonly string[]> {
  const seen: string[] = []
  for await (const { node } of fabric.nodes(AbortSignal.timeout(10_000))) {
    if (node !== fabric.node) return [...seen, node]
  }
  return seen
}

const context = {
  tenant: 'default',
  principal: { issuer: 'local', subject: 'next', key: 'local next' },
  session: 'none',
  revision: '2025-11-25' as const,
  client: { info: {}, capabilities: {} },
  trace: undefined,
}

let ids = 0
const host: Host = {
  nextId: () => `x-${(ids += 1)}`,
  now: Date.now,
  asked() {},
  answered() {},
  closed() {},
}
