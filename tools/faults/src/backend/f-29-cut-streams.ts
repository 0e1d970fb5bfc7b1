import assert from 'node:assert/strict'
import { openEvents, sendEvent } from '@junctor/testkit'
import type { Scenario } from '../scenario.ts'
import { call, reason, withRemote } from './scene.ts'
import { answerTo, echoed, endEarly } from './servers/remote-server.ts'

/** The reconnection delay that the server specifies. */
const retryMs = 150

/**
 * A stream with event ids is resumed after the pause that the server asked for, at most five times. Without ids, the
 * call fails at once.
 */
export const cutStreams: Scenario = {
  id: 'F-29',
  title: 'a remote stream ends without the response',
  ways: ['http', 'stdio'],
  run: (way, onProgress) =>
    withRemote({}, async (scene) => {
      const { remote } = scene
      const peer = await scene.peer(way)
      const echo = (text: string): ReturnType<typeof call> => call(peer, 'remote__echo', { text })
      assert.equal((await echo('before')).text, 'before')

      remote.misbehave((_, response) => endEarly(response, undefined))
      const cut = await echo('cut')
      assert.equal(reason(cut), 'backend_exited')

      let answer: ReturnType<typeof answerTo> = {}
      remote.misbehave((request, response) => {
        if (request.method === 'POST') {
          answer = answerTo(request, echoed(request))
          return endEarly(response, 'e-1', retryMs)
        }
        openEvents(response)
        sendEvent(response, { id: 'e-2', data: answer })
        response.end()
      })
      const resumed = await echo('resumed')
      assert.equal(resumed.text, 'resumed')
      assert.ok(resumed.ms >= retryMs, `expected a pause of ${retryMs} ms, got the answer after ${resumed.ms}`)

      onProgress('a stream that never brings anything')
      const before = remote.count('GET')
      remote.misbehave((request, response) => endEarly(response, request.method === 'POST' ? 'e-3' : undefined, 10))
      const never = await echo('never')
      assert.equal(reason(never), 'backend_exited')
      const attempts = remote.count('GET') - before
      assert.ok(attempts <= 5, `expected at most five attempts, got ${attempts}`)
      remote.misbehave(undefined)
      assert.equal((await echo('after')).text, 'after')
      return `without an event id an error after ${cut.ms.toFixed(0)} ms; with one resumed after ${resumed.ms.toFixed(0)} ms (retry ${retryMs}); given up after ${attempts} attempts, ${never.ms.toFixed(0)} ms`
    }),
}
