import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty, reason, withBackends } from './scene.ts'

const timeoutMs = 300
/** The number of consecutive failures that opens the breaker. */
const calls = 5
/** The largest duration of a refusal without sending. */
const atOnceMs = 100

/**
 * Calls end at their deadline, then the breaker refuses further ones at once. One call tries whether the backend is
 * back.
 */
export const hanging: Scenario = {
  id: 'F-2',
  title: 'a backend hangs',
  ways: ['http', 'stdio'],
  run: (way, onProgress) =>
    withBackends({ faulty: faulty({ timeout: `${timeoutMs}ms` }) }, async (scene) => {
      const peer = await scene.peer(way)
      const pid = Number((await call(peer, 'faulty__pid')).text)
      process.kill(pid, 'SIGSTOP')
      let longest = 0
      try {
        const late = await Promise.all(
          Array.from({ length: calls }, () => call(peer, 'faulty__echo', { text: 'late' })),
        )
        for (const answer of late) assert.equal(reason(answer), 'deadline_exceeded')
        longest = Math.max(...late.map(({ ms }) => ms))
        assert.ok(longest < timeoutMs + 500, `expected an answer at the deadline, got it after ${longest} ms`)
        assert.equal(await scene.metric('mcp_inflight_requests', { backend: 'faulty' }), 0)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      const refused = await call(peer, 'faulty__echo', { text: 'refused' })
      assert.equal(reason(refused), 'backend_unavailable')
      assert.ok(refused.ms < atOnceMs, `expected a refusal at once, got it after ${refused.ms} ms`)
      const retryAfterMs = Number(refused.error?.data['retryAfterMs'])
      assert.ok(retryAfterMs > 0, `expected retryAfterMs, got ${retryAfterMs}`)
      await until('late answers to be counted', async () => {
        return (await scene.metric('mcp_backend_stdout_discarded_total', { reason: 'late_answer' })) === calls
      })
      onProgress(`waiting for ${retryAfterMs} ms`)
      await after(retryAfterMs)
      const seen = JSON.parse((await call(peer, 'faulty__seen')).text) as { cancelled: number }
      assert.equal(seen.cancelled, calls)
      assert.equal((await call(peer, 'faulty__echo', { text: 'again' })).text, 'again')
      return `${calls} calls ended after ${longest.toFixed(0)} ms (deadline ${timeoutMs}); then refused in ${refused.ms.toFixed(1)} ms, retryAfterMs ${retryAfterMs}; ${seen.cancelled} cancels received, ${calls} late answers dropped; half-open closed it`
    }),
}
