import assert from 'node:assert/strict'
import { createChaosProxy } from '@junctor/testkit'
import type { Scenario } from '../scenario.ts'
import { demo } from './loud.ts'
import { openSession } from './peer/create-peer.ts'
import { createHttpPeer } from './peer/http-peer.ts'
import { until } from './until.ts'
import { withNode } from './with-node.ts'

/** The longest silence of a stream. A proxy that closes silent streams waits for much longer. */
const silenceMs = 200

/** Proxies that buffer events, compress, or cut events in pieces. */
export const bufferingProxy: Scenario = {
  id: 'F-42',
  title: 'proxies that buffer, cut events in pieces, and close what is silent',
  ways: ['http'],
  run: () =>
    withNode({ limits: { streamKeepAlive: `${silenceMs}ms` }, backends: { demo } }, async (scene) => {
      const { port, pathname } = new URL(scene.url)
      const proxy = await createChaosProxy({ port: Number(port) })
      const peer = createHttpPeer(`http://127.0.0.1:${proxy.port}${pathname}`, { 'accept-encoding': 'gzip, br' })
      try {
        await openSession(peer)
        proxy.set('downstream', { slicer: { averageSize: 7, delay: 1 } })

        // Headers ask proxies not to buffer, on both kinds of streams, and nothing is compressed.
        assert.equal(await peer.listen(), 200)
        const own = peer.headers
        const progress = { name: 'demo__progress', arguments: { steps: 5, delayMs: 100 }, _meta: { progressToken: 1 } }
        const called = peer.request('tools/call', progress)
        const first = await peer.until('the first step', ({ method }) => method === 'notifications/progress')
        const steps = (): number => peer.messages().filter(({ method }) => method === 'notifications/progress').length
        assert.deepEqual([steps(), first['method']], [1, 'notifications/progress'], 'steps come one by one')
        assert.ok((await called)['result'])
        assert.equal(steps(), 5)
        for (const headers of [own, peer.headers]) {
          assert.equal(headers['x-accel-buffering'], 'no')
          assert.equal(headers['cache-control'], 'no-cache, no-transform')
          assert.equal(headers['content-encoding'], undefined)
          assert.match(String(headers['content-type']), /^text\/event-stream/)
        }

        // Comments are sent during silence, on the session's own stream and on that of a call.
        const before = peer.comments
        await until('comments on a silent stream', () => peer.comments >= before + 3)
        const slow = peer.request('tools/call', { name: 'demo__slow', arguments: { ms: 4 * silenceMs } })
        assert.ok((await slow)['result'])
        assert.ok(peer.comments >= before + 6, `${peer.comments - before} comments on two streams`)
        return `headers forbid buffering and transforming on both kinds of streams; steps came one by one through 7-byte pieces; ${peer.comments} comments in silence`
      } finally {
        await peer.close()
        await proxy.close()
      }
    }),
}
