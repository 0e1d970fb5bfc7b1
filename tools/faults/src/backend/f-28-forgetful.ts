import assert from 'node:assert/strict'
import { sendJson } from '@junctor/testkit'
import type { Scenario } from '../scenario.ts'
import { call, reason, withRemote } from './scene.ts'

const calls = 20

/** One new session serves all calls after a 404. A 429 and a 401 are reported, and not repeated. */
export const forgetful: Scenario = {
  id: 'F-28',
  title: 'a remote server forgets its sessions, or has too much to do',
  ways: ['http', 'stdio'],
  run: (way) =>
    withRemote({}, async (scene) => {
      const { remote } = scene
      const peer = await scene.peer(way)
      const echo = (text: string): ReturnType<typeof call> => call(peer, 'remote__echo', { text })
      assert.equal((await echo('before')).text, 'before')
      const opened = remote.count('initialize')
      remote.forget()
      const answers = await Promise.all(Array.from({ length: calls }, (_, index) => echo(`again ${index}`)))
      assert.deepEqual(
        answers.map(({ text }) => text),
        answers.map((_, index) => `again ${index}`),
      )
      const renewed = remote.count('initialize') - opened
      assert.equal(renewed, 1)

      remote.misbehave((_, response) => sendJson(response, {}, 429, { 'retry-after': '7' }))
      const before = remote.count('tools/call')
      const busy = await echo('busy')
      assert.deepEqual(
        [reason(busy), busy.error?.data['retryable'], busy.error?.data['retryAfterMs']],
        ['backend_unavailable', true, 7000],
      )
      assert.equal(remote.count('tools/call'), before + 1)
      remote.misbehave((_, response) => void response.writeHead(401).end())
      assert.equal(reason(await echo('stranger')), 'backend_unavailable')
      assert.equal(remote.count('tools/call'), before + 2)
      remote.misbehave(undefined)

      const known = remote.count('initialize')
      remote.forget(true)
      const lost = await echo('lost')
      assert.ok(['backend_unavailable', 'backend_exited'].includes(String(reason(lost))), `got ${String(reason(lost))}`)
      const attempts = remote.count('initialize') - known
      assert.ok(attempts <= 3, `expected no loop, got ${attempts} sessions`)
      return `one new session for ${calls} calls that 404 met; 429 reported as retryAfterMs 7000 and not retried; 401 reported; a server that always forgets is given up after ${attempts} sessions, in ${lost.ms.toFixed(0)} ms`
    }),
}
