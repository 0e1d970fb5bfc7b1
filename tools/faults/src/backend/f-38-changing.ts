import assert from 'node:assert/strict'
import type { HttpPeer } from '../client/peer/http-peer.ts'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty, reason, withBackends } from './scene.ts'

/** Calls that run are answered, and the client is notified of the new list once. */
export const changing: Scenario = {
  id: 'F-38',
  title: 'a backend changes its tools during calls',
  ways: ['http', 'stdio'],
  run: (way) =>
    withBackends({ faulty: faulty() }, async (scene) => {
      const peer = await scene.peer(way)
      if (way === 'http') await (peer as HttpPeer).listen()
      const names = async (): Promise<readonly string[]> => {
        const { result } = await peer.request('tools/list')
        return (result as { tools: { name: string }[] }).tools.map(({ name }) => name)
      }
      assert.ok((await names()).includes('faulty__wait'))
      const gone = call(peer, 'faulty__wait', { ms: 600 })
      const change = call(peer, 'faulty__change', { less: 'wait', more: 'extra', ms: 600 })
      await until('the client to be notified', () => peer.messages().some(isListChanged))
      const listed = await names()
      assert.ok(listed.includes('faulty__extra') && !listed.includes('faulty__wait'), `got ${listed.join(', ')}`)
      assert.equal(reason(await call(peer, 'faulty__wait', { ms: 0 })), 'unknown_tool')
      assert.deepEqual([(await gone).text, (await change).text], ['waited', 'changed'])
      const notices = peer.messages().filter(isListChanged).length
      assert.equal(notices, 1)
      return `the call of the tool that went away was answered; notified ${notices} time; the new list immediately`
    }),
}

function isListChanged({ method }: { readonly method?: unknown }): boolean {
  return method === 'notifications/tools/list_changed'
}
