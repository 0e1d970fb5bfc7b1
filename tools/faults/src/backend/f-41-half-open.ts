import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { createChaosProxy } from '@junctor/testkit'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { call, reason, withRemote } from './scene.ts'

const timeoutMs = 300
/** The number of consecutive failures that opens the breaker. */
const calls = 5

/**
 * Calls end at their deadline, then the breaker refuses further ones at once. When data passes again, calls succeed.
 */
export const halfOpen: Scenario = {
  id: 'F-41',
  title: 'the connection to a remote server is there, and nothing comes through',
  ways: ['http', 'stdio'],
  heavy: true,
  run: (way, onProgress) =>
    withRemote({ through: createChaosProxy, entry: { timeout: `${timeoutMs}ms` } }, async (scene) => {
      const { proxy } = scene
      assert.ok(proxy !== undefined)
      const peer = await scene.peer(way)
      const echo = (text: string): ReturnType<typeof call> => call(peer, 'remote__echo', { text })
      assert.equal((await echo('before')).text, 'before')
      for (const stream of ['upstream', 'downstream'] as const) proxy.set(stream, { timeout: { timeout: 0 } })
      const lost = await Promise.all(Array.from({ length: calls }, () => echo('lost')))
      for (const answer of lost) assert.equal(reason(answer), 'deadline_exceeded')
      const refused = await echo('refused')
      assert.equal(reason(refused), 'backend_unavailable')
      const pause = Number(refused.error?.data['retryAfterMs'])
      for (const stream of ['upstream', 'downstream'] as const) proxy.set(stream)
      onProgress(`waiting for ${pause} ms`)
      await after(pause)
      assert.equal((await echo('again')).text, 'again')
      await until('the dead connections to be let go', () => proxy.connections <= 2, 60_000)
      return `${calls} calls ended at their deadline (${Math.max(...lost.map(({ ms }) => ms)).toFixed(0)} ms), then refused in ${refused.ms.toFixed(0)} ms; well again after the pause of ${pause} ms; ${proxy.connections} of ${proxy.opened} connections left`
    }),
}
