import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpPeer } from '../client/peer/http-peer.ts'
import type { Peer } from '../client/peer/peer.ts'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty, reason, withBackends } from './scene.ts'

/** Twice the sum of the earlier pauses. */
const timeoutMs = 20_000

const expected: ReadonlySet<unknown> = new Set(['backend_exited', 'backend_unavailable', 'unknown_tool'])

/** The pauses between starts grow, the tools disappear with one notification, and the gateway stays ready. */
export const crashLoop: Scenario = {
  id: 'F-5',
  title: 'a backend exits as soon as it starts',
  ways: ['http', 'stdio'],
  heavy: true,
  async run(way) {
    const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
    const broken = join(folder, 'broken')
    try {
      return await withBackends({ faulty: faulty({}, { crashIf: broken }), other: faulty() }, async (scene) => {
        const peer = await scene.peer(way)
        if (way === 'http') await (peer as HttpPeer).listen()
        assert.notEqual(await toolsOf(peer, 'faulty'), 0)
        const pid = Number((await call(peer, 'faulty__pid')).text)
        writeFileSync(broken, '')
        process.kill(pid, 'SIGKILL')
        const began = performance.now()
        await until(
          'the backend to count as one that crashes in a loop',
          async () => {
            const answer = await call(peer, 'faulty__echo', { text: 'x' })
            assert.ok(expected.has(reason(answer)), `expected that it is not there, got ${String(reason(answer))}`)
            return (await scene.status('faulty')).state === 'crash_looping'
          },
          timeoutMs,
        )
        const lasted = performance.now() - began
        const starts = readFileSync(broken).length
        assert.ok(starts <= 6, `expected pauses between starts, got ${starts} starts`)
        assert.equal(await toolsOf(peer, 'faulty'), 0)
        assert.notEqual(await toolsOf(peer, 'other'), 0)
        assert.ok(await scene.ready(), 'expected the gateway to be ready')
        assert.equal((await call(peer, 'other__echo', { text: 'well' })).text, 'well')
        const notifications = peer
          .messages()
          .filter(({ method }) => method === 'notifications/tools/list_changed').length
        assert.equal(notifications, 1)
        return `crash_looping after ${starts} starts in ${lasted.toFixed(0)} ms; its tools are gone, with ${notifications} notification; the gateway is ready and the other backend answers`
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

async function toolsOf(peer: Peer, prefix: string): Promise<number> {
  const { result } = await peer.request('tools/list')
  const { tools } = result as { readonly tools: readonly { readonly name: string }[] }
  return tools.filter(({ name }) => name.startsWith(prefix)).length
}
