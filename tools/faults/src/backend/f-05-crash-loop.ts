import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { call, faulty, reason, withBackends } from './scene.ts'

/** As many failures in a row as make a loop of them. */
const failures = 5

export const crashLoop: Scenario = {
  id: 'F-5',
  title: 'a backend exits as soon as it starts',
  ways: ['http'],
  run: (way, tell) =>
    withBackends({ faulty: faulty(), other: faulty() }, async (scene) => {
      const peer = await scene.peer(way)
      if ('listen' in peer) await (peer as { listen(): Promise<number> }).listen()
      const tools = async (): Promise<number> => {
        const { result } = await peer.request('tools/list')
        return (result as { tools: { name: string }[] }).tools.filter(({ name }) => name.startsWith('faulty')).length
      }
      assert.notEqual(await tools(), 0)
      const pauses: number[] = []
      for (let failed = 0; failed < failures; failed += 1) {
        // oxlint-disable no-await-in-loop
        const answer = await call(peer, 'faulty__exit', { code: 1 })
        if (reason(answer) === 'backend_exited') continue
        assert.equal(reason(answer), 'backend_unavailable')
        const pause = Number(answer.error?.data['retryAfterMs'])
        pauses.push(pause)
        tell(`waiting for ${pause} ms`)
        await after(pause)
        failed -= 1
        // oxlint-enable no-await-in-loop
      }
      const refused = await call(peer, 'faulty__echo', { text: 'x' })
      assert.equal(reason(refused), 'backend_unavailable')
      pauses.push(Number(refused.error?.data['retryAfterMs']))
      assert.ok(
        pauses.every((pause, index) => pause <= 500 * 2 ** (index + 4)),
        `expected pauses to double, got ${pauses.join(', ')}`,
      )
      assert.equal((await scene.status('faulty')).state, 'crash_looping')
      assert.ok(await scene.ready(), 'expected the gateway to be ready')
      assert.equal((await call(peer, 'other__echo', { text: 'well' })).text, 'well')
      return `crash_looping after ${failures} exits, pauses told: ${pauses.join(', ')} ms; the gateway is ready and the other backend answers`
    }),
}
