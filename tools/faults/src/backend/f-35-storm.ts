import assert from 'node:assert/strict'
import type { HttpPeer } from '../client/peer/http-peer.ts'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty, withBackends } from './scene.ts'

const notices = 20_000
/** The largest number of list requests, and of notifications to the client. */
const most = 20

/** Many changes become a few list requests and a few notifications, and other backends answer meanwhile. */
export const storm: Scenario = {
  id: 'F-35',
  title: 'a backend says without end that its list has changed',
  ways: ['http', 'stdio'],
  run: (way) =>
    withBackends({ faulty: faulty({}, { listMs: 100 }), other: faulty() }, async (scene) => {
      const peer = await scene.peer(way)
      if (way === 'http') await (peer as HttpPeer).listen()
      await peer.request('tools/list')
      const stormed = call(peer, 'faulty__storm', { count: notices })
      const neighbour = await call(peer, 'other__echo', { text: 'well' })
      assert.equal(neighbour.text, 'well')
      assert.equal((await stormed).text, 'stormed')
      const received = (): number =>
        peer.messages().filter(({ method }) => method === 'notifications/tools/list_changed').length
      await until('a notice', () => received() > 0)
      await peer.request('tools/list')
      const seen = JSON.parse((await call(peer, 'faulty__seen')).text) as { lists: number }
      assert.ok(received() <= most, `expected at most ${most} notices to the client, got ${received()}`)
      assert.ok(seen.lists <= most, `expected at most ${most} lists, got ${seen.lists}`)
      return `${notices} notices: requested the list ${seen.lists} times, notified the client ${received()} times; another call took ${neighbour.ms.toFixed(0)} ms`
    }),
}
