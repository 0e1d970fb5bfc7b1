import assert from 'node:assert/strict'
import type { Scenario } from '../scenario.ts'
import { demo } from './loud.ts'
import { openSession } from './peer/create-peer.ts'
import { until } from './until.ts'
import { withProcess } from './with-process.ts'

/** Names of each kind: of tools, of methods of requests, of methods of notifications. */
const names = 15_000
/** Of each kind in one batch. */
const inBatch = 30

/** Clients that make names up, which must not become labels of metrics. */
export const labelExplosion: Scenario = {
  id: 'F-39',
  title: 'tools and methods with ever new names',
  ways: ['http', 'stdio'],
  run: (way) =>
    withProcess(way, { backends: { demo } }, async (scene) => {
      const { gateway } = scene
      const peer = scene.connect()
      // Batches make it quick, and are of this revision alone.
      await openSession(peer, 'peer', '2025-03-26')
      await peer.request('tools/call', { name: 'demo__echo', arguments: { message: 'x' } })
      await peer.request('tools/call', { name: 'unknown' })
      await peer.request('unknown')
      const [before, heap] = [await series(gateway.admin), await gateway.inspector.heap()]

      const answers = (): number => peer.messages().filter(({ method }) => method === undefined).length
      const begun = answers()
      for (let first = 0; first < names; first += inBatch) {
        const messages = Array.from({ length: inBatch }, (_, index) => madeUp(first + index)).flat()
        // oxlint-disable-next-line no-await-in-loop
        await peer.send(`[${messages.join(',')}]`)
      }
      // The gateway's own answer to each tool and each method; nothing for notifications.
      await until('all answers', () => answers() === begun + 2 * names)
      const after = await series(gateway.admin)
      const kept = (await gateway.inspector.heap()) - heap
      assert.ok(after.length <= before.length + 50, `${after.length - before.length} more series`)
      assert.ok(kept < 4 * 1024 * 1024, `${kept} bytes are kept`)
      assert.ok(!after.some((row) => row.includes('made-up')))
      assert.ok(after.some((row) => row.startsWith('mcp_notifications_total{method="other"}')))
      return `${3 * names} names made up: ${after.length - before.length} more series of ${after.length}, ${(kept / 1024).toFixed(0)} KiB kept`
    }),
}

/** One of each kind. Three messages of which two are answered. */
function madeUp(number: number): readonly string[] {
  const name = `made-up-${number}`
  return [
    { id: `t${number}`, method: 'tools/call', params: { name } },
    { id: `m${number}`, method: name },
    { method: `notifications/${name}` },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
}

/** The rows of `/metrics`. */
async function series(admin: string): Promise<readonly string[]> {
  const text = await (await fetch(`${admin}/metrics`, { headers: { connection: 'close' } })).text()
  return text.split('\n').filter((row) => row !== '' && !row.startsWith('#'))
}
