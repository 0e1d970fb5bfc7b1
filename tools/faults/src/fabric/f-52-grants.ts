import assert from 'node:assert/strict'
import { runGrants } from '../grants/run-grants.ts'
import type { Scenario } from '../scenario.ts'
import { natsLack } from '../storm/deployment/nats-lack.ts'

/** Nobody's token serves another one, no call runs twice, and nothing is left when an access has ended. */
export const grantsInRandomOrder: Scenario = {
  id: 'F-52',
  title: 'people agree, call and end their access while nodes come and go, in random order',
  ways: ['http'],
  heavy: true,
  lack: () => natsLack(1),
  async run(_way, onProgress) {
    const seed = 1 + (Date.now() % 1_000_000)
    const { faults, calls, runs, grants, outages, folder } = await runGrants({
      seed,
      rounds: 40,
      people: 6,
      nodes: 3,
      onProgress,
    })
    assert.deepEqual(faults, [], `seed ${seed}; logs are in ${folder}`)
    return `seed ${seed}: ${calls} calls, ${runs} at the server, ${grants} grants, ${outages} outages; none mixed up, none left`
  },
}
