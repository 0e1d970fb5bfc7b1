import assert from 'node:assert/strict'
import { runFuzz } from '../fuzz/run-fuzz.ts'
import type { Scenario } from '../scenario.ts'
import { natsLack } from '../storm/deployment/nats-lack.ts'

const seconds = 60
const clients = 12

/** No node crashes, accepted requests are answered once, and nothing is left, in any order of events. */
function lifecycles(nodes: number, servers: 1 | 3): Scenario {
  return {
    id: 'F-51',
    title: `clients, ${nodes} gateways and ${servers === 1 ? 'the only NATS server' : '3 NATS servers'} come and go in random order`,
    ways: ['http'],
    heavy: true,
    lack: () => natsLack(servers),
    async run(_way, onProgress) {
      const seed = 1 + (Date.now() % 1_000_000)
      const { signal } = new AbortController()
      const options = { seconds, seed, nodes, servers, clients, stop: signal, onProgress }
      const { faults, sessions, answered, outages, folder } = await runFuzz(options)
      const again = `pnpm fuzz --seconds ${seconds} --nodes ${nodes} --nats ${servers} --seed ${seed}`
      assert.deepEqual(faults, [], `${again}; logs are in ${folder}`)
      const calls = Object.values(answered).reduce((sum, count) => sum + count, 0)
      return `seed ${seed}: ${sessions} sessions, ${outages.length} outages, ${calls} calls answered; none lost, none twice`
    },
  }
}

/** The usual small deployment: without its only NATS server, nothing can be stored. */
export const lifecyclesOfTwo: Scenario = lifecycles(2, 1)
/** A deployment that survives the loss of any one process: NATS keeps three copies. */
export const lifecyclesOfThree: Scenario = lifecycles(3, 3)
