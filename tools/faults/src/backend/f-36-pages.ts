import assert from 'node:assert/strict'
import type { Scenario } from '../scenario.ts'
import { call, faulty, withBackends } from './scene.ts'

/** The time for a thousand pages; a list that is given up only by its timeout takes longer. */
const givenUpMs = 10_000

export const pages: Scenario = {
  id: 'F-36',
  title: 'the pages of a list do not end',
  ways: ['http', 'stdio'],
  run: (way) =>
    withBackends(
      { same: faulty({}, { pages: 'same' }), endless: faulty({}, { pages: 'endless' }), other: faulty() },
      async (scene) => {
        const opened = performance.now()
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
        for (const name of ['same', 'endless']) {
          // oxlint-disable-next-line no-await-in-loop
          const { state, tools } = await scene.status(name)
          assert.deepEqual([name, state, tools.length], [name, 'up', 0])
        }
        const givenUp = performance.now() - opened
        assert.ok(givenUp < givenUpMs, `expected pages to be asked for no further, it took ${givenUp} ms`)
        assert.equal((await call(peer, 'other__echo', { text: 'well' })).text, 'well')
        return `the list came after ${ms.toFixed(0)} ms without theirs, whose pages were given up after ${givenUp.toFixed(0)} ms`
      },
    ),
}
