import assert from 'node:assert/strict'
import type { JsonValue } from '@junctor/jsonrpc'
import type { Scenario } from '../scenario.ts'
import { demo } from './loud.ts'
import { revision } from './peer/create-peer.ts'
import type { Peer } from './peer/peer.ts'
import { withNode } from './with-node.ts'

/** The largest number of requests in flight of a session: a race that leaves one behind is noticed soon. */
const inFlight = 10
const races = 200

/** Cancels that are too late, too early, repeated, for unknown ids, or for requests that must not be cancelled. */
export const cancelRaces: Scenario = {
  id: 'F-37',
  title: 'cancels that come too late, too early, twice or for unknown ids',
  ways: ['http', 'stdio'],
  run: (way) =>
    withNode({ backends: { demo }, limits: { inFlight } }, async (scene) => {
      const peer = scene.connect(way)
      await cancelledOpening(peer)
      const cancel = (requestId: JsonValue): Promise<number> => peer.notify('notifications/cancelled', { requestId })

      // Too late, and repeated.
      assert.ok((await echo(peer, 'late'))['result'])
      await cancel('late')
      await cancel('late')
      // Too early: the request is not known yet.
      await cancel('early')
      assert.ok((await echo(peer, 'early'))['result'])
      // For unknown ids, and for values that are not ids.
      for (const unknownId of ['nobody', 7, 1.5, null, true, [], {}, '', '__proto__']) {
        // oxlint-disable-next-line no-await-in-loop
        await cancel(unknownId)
      }
      await peer.notify('notifications/cancelled')
      // 1 is not "1".
      const slow = peer.request('tools/call', { name: 'demo__slow', arguments: { ms: 300 } }, 1)
      await cancel('1')
      assert.ok((await slow)['result'])

      // While the answer is being sent: at most one answer each, and no place is used permanently.
      for (let race = 0; race < races; race += inFlight) {
        const ids = Array.from({ length: inFlight }, (_, index) => `race ${race + index}`)
        // oxlint-disable-next-line no-await-in-loop
        await Promise.all(
          ids.flatMap((id, index) => [
            call(peer, id, index % 2 === 0 ? 'demo__echo' : 'demo__slow'),
            ...(index % 3 === 0 ? [] : [cancel(id), cancel(id)]),
          ]),
        )
        // oxlint-disable-next-line no-await-in-loop
        await Promise.all(ids.map((id) => cancel(id)))
        // If a place were lost, this request would be refused.
        // oxlint-disable-next-line no-await-in-loop
        assert.deepEqual((await peer.request('ping'))['result'], {})
      }
      const answers = new Map<string, number>()
      for (const { id, error } of peer.messages()) {
        if (typeof id !== 'string' || !id.startsWith('race')) continue
        answers.set(id, (answers.get(id) ?? 0) + 1)
        assert.equal(error, undefined, `${id} got ${JSON.stringify(error)}`)
      }
      assert.deepEqual(
        [...answers.values()].filter((count) => count > 1),
        [],
      )
      return `${races} races, ${answers.size} answered, none twice, no place lost`
    }),
}

/** A session whose `initialize` is cancelled immediately: that request must not be cancelled (Cancellation). */
async function cancelledOpening(peer: Peer): Promise<void> {
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'hasty', version: '1' } }
  const opening = peer.request('initialize', params, 'open')
  // Over HTTP a client cannot name a session that is not open yet; the message is refused without an effect.
  if (peer.transport === 'stdio') await peer.notify('notifications/cancelled', { requestId: 'open' })
  assert.ok((await opening)['result'])
  await peer.notify('notifications/cancelled', { requestId: 'open' })
  await peer.notify('notifications/initialized')
}

function echo(peer: Peer, id: string): ReturnType<Peer['request']> {
  return peer.request('tools/call', { name: 'demo__echo', arguments: { message: 'x' } }, id)
}

function call(peer: Peer, id: string, name: string): Promise<number> {
  const params = { name, arguments: name === 'demo__echo' ? { message: 'x' } : { ms: 5_000 } }
  return peer.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }))
}
