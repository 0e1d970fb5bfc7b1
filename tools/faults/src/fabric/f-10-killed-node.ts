import assert from 'node:assert/strict'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { ask, submit, withFabric } from './scene.ts'

/** A lease is 15 s; then another node has the job, and runs it or not. */
const longestMs = 45_000

/** The duration of a task, in milliseconds. */
const taskMs = 4_000

/** Jobs of a killed node end on another one: they run again where that is allowed, else their outcome is unknown. */
export const killedNode: Scenario = {
  id: 'F-10',
  title: 'a node is killed while it has jobs',
  ways: ['http'],
  heavy: true,
  run: () =>
    withFabric({}, async ({ gateways, connect, runs }) => {
      const [one, two] = gateways
      assert(one && two)
      const peer = await connect(one)
      const names = Array.from({ length: 12 }, (_, n) => `${n % 2 === 0 ? 'sets' : 'adds'} ${n}`)
      const tasks = await Promise.all(
        names.map((name) => submit(peer, name.startsWith('sets') ? 'sets' : 'adds', name, taskMs)),
      )
      await until('tasks under way', () => names.some((name) => runs(name) === 1))
      one.child.kill('SIGKILL')
      const killed = performance.now()
      const elsewhere = await connect(two)
      const results = await Promise.all(tasks.map(({ id }) => ask(elsewhere, 'tasks/result', { taskId: id })))
      const endedMs = performance.now() - killed
      assert(endedMs < longestMs, `Expected ends within ${longestMs} ms, took ${endedMs} ms`)
      let done = 0
      let again = 0
      for (const [index, { text, reason }] of results.entries()) {
        const name = names[index] ?? ''
        if (reason === undefined) done += 1
        if (runs(name) > 1) again += 1
        assert(
          text === name || ['outcome_unknown', 'backend_exited'].includes(reason ?? ''),
          `Expected an end of ${name}, got ${reason ?? text}`,
        )
        if (name.startsWith('adds')) assert(runs(name) <= 1, `Expected ${name} to run once, got ${runs(name)}`)
        assert(runs(name) <= 2)
      }
      const states = await Promise.all(tasks.map(({ id }) => ask(elsewhere, 'tasks/get', { taskId: id })))
      for (const { result } of states) assert(['completed', 'failed'].includes(result?.['status'] as string))
      return `${tasks.length} tasks ended within ${(endedMs / 1000).toFixed(1)} s: ${done} done, ${again} of them run again, the others of unknown outcome`
    }),
}
