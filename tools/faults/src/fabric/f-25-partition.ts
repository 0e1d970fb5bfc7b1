import assert from 'node:assert/strict'
import { type ChaosProxy, createChaosProxy } from '@junctor/testkit'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { type Answer, call, readiness, submit, withFabric } from './scene.ts'

/** What is promised for whatever needs the others, in milliseconds, and a little for a busy machine. */
const boundedMs = 11_000

/** For all to be as before once the network is. */
const healedMs = 10_000

/** What a call over nodes may end with that was under way, or began, when they lost each other. */
const lossReasons: ReadonlySet<string | undefined> = new Set([
  'backend_exited',
  'backend_unavailable',
  'fabric_unavailable',
])

function partition(
  title: string,
  cut: (network: ChaosProxy) => Promise<void>,
  heal: (network: ChaosProxy) => Promise<void>,
): Scenario {
  return {
    id: 'F-25',
    title,
    ways: ['http'],
    heavy: true,
    async run() {
      let network: ChaosProxy | undefined
      const address = async ({ port, url }: { port: number; url: string }, gateway: number): Promise<string> => {
        if (gateway !== 0) return url
        network ??= await createChaosProxy({ port })
        return `nats://127.0.0.1:${network.port}`
      }
      try {
        return await withFabric({ address }, async ({ gateways, connect, visit, runs }) => {
          const [one, two] = gateways
          assert(one && two && network)
          const peer = await connect(one)
          const visitor = visit(two, peer.session)
          assert.equal((await call(visitor, 'adds', 'before')).text, 'before')
          await cut(network)
          const [local, stored, over, fresh]: Answer[] = await Promise.all([
            call(peer, 'adds', 'local'),
            submit(peer, 'adds', 'stored'),
            call(visitor, 'adds', 'over'),
            connect(two).then((other) => call(other, 'adds', 'fresh')),
          ])
          assert(local && stored && over && fresh)
          assert.equal(local.text, 'local')
          assert(local.ms < 1_000)
          assert.equal(fresh.text, 'fresh')
          assert.equal(stored.reason, 'fabric_unavailable')
          assert(lossReasons.has(over.reason), over.reason)
          const longest = Math.max(stored.ms, over.ms)
          assert(longest < boundedMs, `Expected errors within ${boundedMs} ms, took ${longest} ms`)
          await until('a gateway that is not ready', async () => (await readiness(one)) === 'fabric_unavailable')
          assert.equal(await readiness(two), 'ready')
          await heal(network)
          const began = performance.now()
          await until('both gateways to be one again', async () => {
            const answer = await call(visitor, 'adds', 'after')
            return answer.text === 'after' && (await readiness(one)) === 'ready'
          })
          const ms = performance.now() - began
          assert(ms < healedMs, `Expected all as before within ${healedMs} ms, took ${ms} ms`)
          assert(runs('over') <= 1)
          return `errors within ${longest.toFixed(0)} ms; as before ${ms.toFixed(0)} ms after the network was`
        })
      } finally {
        await network?.close()
      }
    },
  }
}

const silence = { timeout: { timeout: 0 } }

export const cutOff: Scenario = partition(
  'a node is cut off from NATS',
  (network) => network.down(),
  (network) => network.up(),
)

export const halfOpen: Scenario = partition(
  'the connection of a node to NATS is half open',
  async (network) => {
    network.set('upstream', silence)
    network.set('downstream', silence)
  },
  async (network) => {
    network.set('upstream')
    network.set('downstream')
  },
)
