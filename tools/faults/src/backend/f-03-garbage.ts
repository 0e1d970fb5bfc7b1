import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty, reason, type Scene, withBackends } from './scene.ts'

const cap = 10 * 1024 * 1024
const oversize = 100 * 1024 * 1024
/** Long before the deadline, which is half a minute. */
const soonMs = 10_000

export const garbage: Scenario = {
  id: 'F-3',
  title: 'a backend prints garbage, bytes that are no UTF-8, and lines of 100 MB',
  ways: ['http', 'stdio'],
  run: (way, tell) =>
    withBackends({ faulty: faulty(), other: faulty() }, async (scene) => {
      const peer = await scene.peer(way)
      assert.equal((await call(peer, 'faulty__print', { kind: 'garbage', count: 1000 })).text, 'printed')
      assert.equal((await call(peer, 'faulty__print', { kind: 'invalid', count: 3 })).text, 'printed')
      assert.equal(await discarded(scene, 'not_a_message'), 1000)
      assert.equal(await discarded(scene, 'not_utf8'), 3)

      tell('a line of 100 MB')
      const watch = watchMemory()
      const long = await call(peer, 'faulty__print', { kind: 'long', bytes: oversize })
      assert.equal(long.text, 'printed')

      tell('answers of 100 MB')
      const alone = await call(peer, 'faulty__answer', { bytes: oversize })
      assert.equal(reason(alone), 'tool_failed')
      const [one, other, neighbour] = await Promise.all([
        call(peer, 'faulty__answer', { bytes: oversize }),
        call(peer, 'faulty__wait', { ms: 1_000 }),
        call(peer, 'other__echo', { text: 'well' }),
      ])
      assert.deepEqual([reason(one), other.text, neighbour.text], ['tool_failed', 'waited', 'well'])
      const last = await call(peer, 'faulty__answer', { bytes: oversize, idLast: true })
      assert.equal(reason(last), 'tool_failed')
      const endless = await call(peer, 'faulty__print', { kind: 'endless', bytes: oversize })
      assert.equal(reason(endless), 'tool_failed')
      for (const { ms } of [alone, one, last, endless])
        assert.ok(ms < soonMs, `expected an error soon, got it after ${ms} ms`)
      assert.equal((await call(peer, 'faulty__echo', { text: 'again' })).error, undefined)
      await until('each line to be counted', async () => (await discarded(scene, 'too_long')) === 5)
      const { grown, stalled } = await watch()
      assert.ok(grown < 4 * cap, `expected less than four caps of memory, got ${megabytes(grown)}`)
      assert.ok(stalled < 250, `expected the loop to turn, it stood still for ${stalled} ms`)
      return `1000 garbage lines and 3 without UTF-8 skipped; answers of 100 MB became errors after ${[alone, one, last, endless].map(({ ms }) => ms.toFixed(0)).join(', ')} ms; memory +${megabytes(grown)}, loop stood still for ${stalled.toFixed(0)} ms at most`
    }),
}

function discarded(scene: Scene, why: string): Promise<number> {
  return scene.metric('mcp_backend_stdout_discarded_total', { reason: why })
}

/** Measures, until it is called again, how far memory outside the heap grows and how long the loop stands still. */
function watchMemory(): () => Promise<{ grown: number; stalled: number }> {
  const held = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
  const before = held()
  let [most, stalled, last] = [before, 0, performance.now()]
  const timer = setInterval(() => {
    most = Math.max(most, held())
    stalled = Math.max(stalled, performance.now() - last - 10)
    last = performance.now()
  }, 10)
  return async () => {
    await after(20)
    clearInterval(timer)
    return { grown: most - before, stalled }
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
