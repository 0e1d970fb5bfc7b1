import assert from 'node:assert/strict'
import type { Scenario } from '../scenario.ts'
import { call, faulty, withBackends } from './scene.ts'

/** Why the gateway stops to ask for pages. A busy machine does not get a thousand of them in the time that a list has. */
const reasons = { same: /"nextCursor" of an earlier page/, endless: /1000 pages|10 seconds/ } as const

/** The list has the pages that were received, and all tools of the other backends. */
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
        assert.ok(names.includes('same__echo'), 'expected the tools of the page that came again and again')
        assert.equal(new Set(names).size, names.length, 'expected each tool once')
        assert.equal((await call(peer, 'same__echo', { text: 'well' })).text, 'well')
        for (const [name, reason] of Object.entries(reasons)) {
          // oxlint-disable-next-line no-await-in-loop
          const { state, error, warnings } = await scene.status(name)
          assert.deepEqual([name, state, error], [name, 'up', undefined])
          assert.match(warnings.join(' '), reason)
        }
        assert.equal((await call(peer, 'other__echo', { text: 'well' })).text, 'well')
        return `the list came after ${ms.toFixed(0)} ms with what their pages had until they were given up`
      },
    ),
}
