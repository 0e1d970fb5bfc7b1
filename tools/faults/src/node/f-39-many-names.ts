import assert from 'node:assert/strict'
import { loud } from '../client/loud.ts'
import { openSession } from '../client/peer/create-peer.ts'
import { withProcess } from '../client/with-process.ts'
import type { Scenario } from '../scenario.ts'
import { metricsOf } from './gauge-of.ts'

/** The number of names of each kind: over HTTP each is a separate request. */
const names = { http: 3_000, stdio: 34_000 }

/** Names that clients invent never become labels. */
export const manyNames: Scenario = {
  id: 'F-39',
  title: 'names of tools and methods that clients make up',
  ways: ['http', 'stdio'],
  heavy: true,
  run: (way, onProgress) =>
    withProcess(way, { backends: { loud: loud() } }, async ({ gateway, connect }) => {
      const peer = connect()
      await openSession(peer)
      await peer.request('tools/call', { name: 'loud__echo', arguments: { text: 'one that is there' } })
      const before = await metricsOf(gateway)
      const count = names[way]
      for (let at = 0; at < count; at += 500) {
        onProgress(`${at} of ${count}`)
        const some = Array.from({ length: Math.min(500, count - at) }, (_, index) => `made-up-${at + index}`)
        // oxlint-disable-next-line no-await-in-loop
        await Promise.all(
          some.flatMap((name) => [
            peer.request('tools/call', { name, arguments: {} }),
            peer.request(name),
            peer.notify(`notifications/${name}`),
          ]),
        )
      }
      const after = await metricsOf(gateway)
      assert.ok(!after.includes('made-up'), 'a name that a client made up is in the metrics')
      assert.match(after, /^mcp_notifications_total\{method="other"\} \d+$/m)
      const grown = after.split('\n').length - before.split('\n').length
      // A few series for new outcomes, with the buckets of their histogram.
      assert.ok(grown < 200, `${grown} lines more`)
      return `${3 * count} names, ${grown} lines more in the metrics`
    }),
}
