import assert from 'node:assert/strict'
import type { Scenario } from '../scenario.ts'
import { call, withBackends, faulty } from './scene.ts'

const bytes = 50 * 1024 * 1024

/** The gateway reads all of it, so that the backend never blocks and other calls continue. */
export const complaining: Scenario = {
  id: 'F-4',
  title: 'a backend floods stderr',
  ways: ['http', 'stdio'],
  run: (way) =>
    withBackends({ faulty: faulty() }, async (scene) => {
      const peer = await scene.peer(way)
      const [flooded, meanwhile] = await Promise.all([
        call(peer, 'faulty__stderr', { bytes }),
        call(peer, 'faulty__wait', { ms: 50 }),
      ])
      assert.equal(flooded.text, 'complained')
      assert.equal(meanwhile.text, 'waited')
      assert.equal((await call(peer, 'faulty__echo', { text: 'well' })).text, 'well')
      return `50 MB were taken in ${flooded.ms.toFixed(0)} ms, and the backend never waited; another call took ${meanwhile.ms.toFixed(0)} ms`
    }),
}
