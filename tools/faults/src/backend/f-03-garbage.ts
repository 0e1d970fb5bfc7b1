import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty, reason, type Scene, withBackends } from './scene.ts'

const cap = 10 * 1024 * 1024
const oversize = 100 * 1024 * 1024
/** Of all lines that are too long. */
const printed = 5 * oversize
/** The promise is 100; the backend and this client share the machine, and the client its process. */
const stalledMs = 250
/** Long before the deadline, which is half a minute. */
const soonMs = 10_000

export const garbage: Scenario = {
  id: 'F-3',
  title: 'a backend prints garbage, bytes that are no UTF-8, and lines of 100 MB',
  ways: ['http', 'stdio'],
  heavy: true,
  run: (way, tell) =>
    withBackends({ faulty: faulty(), other: faulty(), mute: faulty({ timeout: '2s' }) }, async (scene) => {
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
      tell('100 MB without a newline')
      // Nothing tells whose they are: its call ends at its deadline, and the one whose answer ends the line.
      const swallowed = [
        await call(peer, 'mute__print', { kind: 'endless', bytes: oversize }),
        await call(peer, 'mute__echo', { text: 'the newline' }),
      ]
      assert.deepEqual(swallowed.map(reason), ['deadline_exceeded', 'deadline_exceeded'])
      assert.equal((await call(peer, 'mute__echo', { text: 'well' })).text, 'well')
      for (const { ms } of [alone, one, last]) assert.ok(ms < soonMs, `expected an error soon, got it after ${ms} ms`)
      assert.equal((await call(peer, 'faulty__echo', { text: 'again' })).text, 'again')
      await until('each line to be counted', async () => (await discarded(scene, 'too_long')) === 5)
      const { most, kept, stalled } = await watch()
      assert.ok(most < printed / 4, `expected memory to be given back on the way, it grew by ${megabytes(most)}`)
      assert.ok(kept < cap, `expected to keep less than a line, got ${megabytes(kept)}`)
      assert.ok(stalled < stalledMs, `expected the loop to turn, it stood still for ${stalled} ms`)
      return `1000 garbage lines and 3 without UTF-8 skipped; answers of 100 MB became errors after ${[alone, one, last].map(({ ms }) => ms.toFixed(0)).join(', ')} ms; memory +${megabytes(most)} on the way and +${megabytes(kept)} in the end, loop stood still for ${stalled.toFixed(0)} ms at most`
    }),
}

function discarded(scene: Scene, why: string): Promise<number> {
  return scene.metric('mcp_backend_stdout_discarded_total', { reason: why })
}

/** Measures, until it is called again, how far memory grows, garbage included, and how long the loop stands still. */
function watchMemory(): () => Promise<{ most: number; kept: number; stalled: number }> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = held()
  let [most, stalled, last] = [before, 0, performance.now()]
  const timer = setInterval(() => {
    most = Math.max(most, held())
    stalled = Math.max(stalled, performance.now() - last - 10)
    last = performance.now()
  }, 10)
  // Where the scenario fails on the way, nobody stops it.
  timer.unref()
  return async () => {
    await after(20)
    clearInterval(timer)
    collect()
    return { most: most - before, kept: held() - before, stalled }
  }
}

function held(): number {
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
