import assert from 'node:assert/strict'
import { type ChaosProxy, createChaosProxy } from '@junctor/testkit'
import type { GatewayProcess } from '../client/gateway-process.ts'
import type { HttpPeer } from '../client/peer/http-peer.ts'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { type AnswerSummary, call, type FabricScene, readiness, submit, withFabric } from './scene.ts'

/** The promised timeout of operations that need other nodes, in milliseconds, plus a reserve for a busy machine. */
const boundedMs = 11_000

/** The time for a complete recovery after the network is back. */
const healedMs = 10_000

/** The possible errors of a call between nodes that was in flight, or began, when they lost each other. */
const lossReasons: ReadonlySet<string | undefined> = new Set([
  'backend_exited',
  'backend_unavailable',
  'fabric_unavailable',
  'outcome_unknown',
])

/** A gateway whose network can be cut, another one, and sessions whose home is the first. */
interface Parted {
  readonly one: GatewayProcess
  readonly two: GatewayProcess
  readonly connect: FabricScene['connect']
  readonly visit: FabricScene['visit']
  readonly network: ChaosProxy
  readonly peer: HttpPeer
  /** The session of `peer` at the other gateway. */
  readonly visitor: HttpPeer
  /** Another session, without requests while the network is cut. */
  readonly quiet: HttpPeer
}

interface Partition {
  readonly title: string
  readonly cut: (network: ChaosProxy) => Promise<void>
  /** Heals the network, and checks the promises. Returns how long that took, in milliseconds. */
  readonly heal: (parted: Parted) => Promise<number>
}

function partition({ title, cut, heal }: Partition): Scenario {
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
          const parted = { one, two, connect, visit, network, peer, visitor, quiet: await connect(one) }
          assert.equal((await call(visitor, 'adds', 'before')).text, 'before')
          await cut(network)
          const [local, stored, over, fresh]: AnswerSummary[] = await Promise.all([
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
          const ms = await heal(parted)
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

/** Cut off for less time than other nodes need to notice: its sessions continue. */
export const cutOff: Scenario = partition({
  title: 'a node is cut off from NATS',
  cut: (network) => network.down(),
  async heal({ network, one, visitor }) {
    await network.up()
    const began = performance.now()
    await until('both gateways to be one again', async () => {
      const answer = await call(visitor, 'adds', 'after')
      return answer.text === 'after' && (await readiness(one)) === 'ready'
    })
    return performance.now() - began
  },
})

const silence = { timeout: { timeout: 0 } }

/**
 * Cut off for longer: the other gateway has treated it as lost. A client whose session was refused there gets 404 from
 * then on, from both gateways. Sessions without requests in that time continue, and new ones work everywhere.
 */
export const halfOpen: Scenario = partition({
  title: 'the connection of a node to NATS is half open, until others take it for lost',
  async cut(network) {
    network.set('upstream', silence)
    network.set('downstream', silence)
  },
  async heal({ network, one, two, connect, visit, peer, visitor, quiet }) {
    await until('a session that is gone with its home', async () => {
      const { reason } = await call(visitor, 'adds', 'lost')
      return reason === 'session_unknown'
    })
    network.set('upstream')
    network.set('downstream')
    const began = performance.now()
    await until('a gateway that is ready again', async () => (await readiness(one)) === 'ready')
    // The gateway may still be unable to read the record, and refuses the call until it can.
    for (const client of [peer, visitor]) {
      // oxlint-disable-next-line no-await-in-loop -- one session after the other
      await until('a call of a session that is gone to be refused as such', async () => {
        const { reason } = await call(client, 'adds', 'gone')
        assert(reason === 'session_unknown' || reason === 'fabric_unavailable', reason)
        return reason === 'session_unknown'
      })
    }
    for (const session of [quiet.session, (await connect(one)).session]) {
      // oxlint-disable-next-line no-await-in-loop -- one session after the other
      for (const gateway of [one, two]) assert.equal((await call(visit(gateway, session), 'adds', 'on')).text, 'on')
    }
    return performance.now() - began
  },
})
