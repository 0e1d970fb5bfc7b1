import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { call, faulty, reason, withBackends } from './scene.ts'

const calls = 50
const answerMs = 1_000

/** Each call gets an error within a second, the backend is started again, and other backends are not affected. */
export const killed: Scenario = {
  id: 'F-1',
  title: 'a backend is killed during calls',
  ways: ['http', 'stdio'],
  run: (way, onProgress) =>
    withBackends({ faulty: faulty(), other: faulty() }, async (scene) => {
      const [peer, neighbour] = [await scene.peer(way), await scene.peer(way)]
      const pid = Number((await call(peer, 'faulty__pid')).text)
      const unaffected = call(neighbour, 'other__wait', { ms: 500 })
      const pending = Array.from({ length: calls }, () => call(peer, 'faulty__wait', { ms: 60_000 }))
      await until('every call to be under way', async () => {
        return (await scene.metric('mcp_inflight_requests', { backend: 'faulty' })) >= calls
      })
      onProgress('killing it')
      process.kill(pid, 'SIGKILL')
      const died = performance.now()
      const answers = await Promise.all(pending)
      const longest = performance.now() - died
      assert.ok(longest < answerMs, `expected every answer within ${answerMs} ms, the last took ${longest}`)
      for (const answer of answers) {
        assert.equal(answer.error?.code, -32000)
        assert.deepEqual([reason(answer), answer.error.data['retryable']], ['backend_exited', false])
      }
      assert.equal((await unaffected).text, 'waited')
      const again = await call(peer, 'faulty__pid')
      assert.ok(Number(again.text) > 0 && Number(again.text) !== pid, `expected another process, got ${again.text}`)
      assert.equal(await scene.metric('mcp_backend_restarts_total', { backend: 'faulty' }), 1)
      assert.equal(await scene.metric('mcp_backend_restarts_total', { backend: 'other' }), 0)
      assert.ok(!existsSync(`/proc/${pid}`), 'expected no zombie')
      return `${calls} calls ended within ${longest.toFixed(0)} ms of the kill; it ran again after ${again.ms.toFixed(0)} ms; no zombie`
    }),
}
