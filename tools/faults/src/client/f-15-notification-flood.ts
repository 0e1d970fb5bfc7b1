import assert from 'node:assert/strict'
import type { Scenario } from '../scenario.ts'
import { floodKinds, floodRequest, floodsOfClients, pipeline } from './floods.ts'
import { demo, loud } from './loud.ts'
import { metric } from './metric.ts'
import { openSession } from './peer/create-peer.ts'
import { type ProcessScene, withProcess } from './with-process.ts'

/** The number of notifications of each kind: from a backend, and from a client over each transport. */
const counts = { backend: 30_000, http: 2_000, stdio: 30_000 } as const

/** The largest memory that remains after all floods, in bytes. */
const mostHeap = 8 * 1024 * 1024

/** Endless notifications, from a backend and from a client. */
export const notificationFlood: Scenario = {
  id: 'F-15',
  title: 'floods of notifications from a backend and from a client',
  ways: ['http', 'stdio'],
  heavy: true,
  run: (way) =>
    withProcess(way, { backends: { demo, loud: loud() } }, async (scene) => {
      const { gateway } = scene
      const peer = way === 'http' ? await scene.http() : scene.connect()
      if (way === 'stdio') await openSession(peer)
      await peer.request('tools/call', { name: 'loud__echo' })
      const before = await gateway.inspector.heap()

      for (const kind of floodKinds) {
        // oxlint-disable-next-line no-await-in-loop
        assert.ok((await peer.request('tools/call', floodRequest(kind, counts.backend)))['result'])
      }
      const answers = (): number => peer.messages().filter(({ method }) => method === undefined).length
      const answersBefore = answers()
      const session = 'session' in peer ? String(peer.session) : ''
      for (const message of Object.values(floodsOfClients)) {
        // oxlint-disable-next-line no-await-in-loop
        await (way === 'http' ? pipeline(gateway.url, session, message, counts.http) : pour(scene, message))
      }
      // A request after a flood is answered after it, and the flood itself is not answered.
      assert.deepEqual((await peer.request('ping'))['result'], {})
      assert.equal(answers(), answersBefore + 1)

      const kept = (await gateway.inspector.heap()) - before
      assert.ok(kept < mostHeap, `${kept} bytes are kept after the floods`)
      const received = await metric(gateway.admin, 'mcp_notifications_total')
      const sent = Object.keys(floodsOfClients).length * counts[way]
      assert.ok(received >= sent, `${received} of ${sent} notifications are counted`)
      const total = floodKinds.length * counts.backend
      return `${total} from a backend, ${sent} from a client, all counted, ${(kept / 1024).toFixed(0)} KiB kept`
    }),
}

/** Writes a line repeatedly, as fast as it is read. */
async function pour({ gateway }: ProcessScene, message: string): Promise<void> {
  for (let sent = 0; sent < counts.stdio; sent += 1_000) {
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => gateway.child.stdin.write(`${message}\n`.repeat(1_000), resolve))
  }
}
