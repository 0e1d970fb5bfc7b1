import assert from 'node:assert/strict'
import type { Scenario } from '../scenario.ts'
import { call, faulty, withBackends } from './scene.ts'

/** Why the gateway stops to ask for pages, which is not that the list took too long. */
const reasons = { same: /same cursor twice/, endless: /at most 1000 pages/ } as const

export const pages: Scenario = {
  id: 'F-36',
  title: 'the pages of a list do not end',
  ways: ['http', 'stdio'],
  run: (way) =>
    withBackends(
      { same: faulty({}, { pages: 'same' }), endless: faulty({}, { pages: 'endless' }), other: faulty() },
      async (scene) => {
        const peer = await scene.peer(way)
        const began = performance.now()
        const { result } = await peer.request('tools/list')
        const ms = performance.now() - began
        const names = (result as { tools: { name: string }[] }).tools.map(({ name }) => name)
        assert.ok(names.includes('other__echo'), 'expected the tools of the backend whose list ends')
        assert.deepEqual(
          names.filter((name) => !name.startsWith('other__')),
          [],
        )
        for (const [name, reason] of Object.entries(reasons)) {
          // oxlint-disable-next-line no-await-in-loop
          const { state, tools, error } = await scene.status(name)
          assert.deepEqual([name, state, tools.length], [name, 'up', 0])
          assert.match(error?.message ?? '', reason)
        }
        assert.equal((await call(peer, 'other__echo', { text: 'well' })).text, 'well')
        return `the list came after ${ms.toFixed(0)} ms without theirs, whose pages were given up`
      },
    ),
}
