import assert from 'node:assert/strict'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { askJetStream, withConnection } from './raw-nats.ts'
import { ask, call, readiness, submit, withFabric } from './scene.ts'

/** All stored data are deleted: the nodes recreate the streams, and sessions continue on their home nodes. */
export const lostStreams: Scenario = {
  id: 'F-48',
  title: 'streams and buckets are deleted',
  ways: ['http'],
  run: () =>
    withFabric({}, async ({ server, gateways, connect, runs }) => {
      const [one, two] = gateways
      assert(one && two)
      const peer = await connect(one)
      const first = await submit(peer, 'sets', 'first')
      assert.equal((await ask(peer, 'tasks/result', { taskId: first.id })).text, 'first')
      const deleted = await withConnection(server, async (connection) => {
        const { streams } = (await askJetStream(connection, 'STREAM.NAMES')) as { streams: readonly string[] }
        for (const name of streams) {
          // oxlint-disable-next-line no-await-in-loop
          assert.equal((await askJetStream(connection, `STREAM.DELETE.${name}`))['success'], true)
        }
        return streams.length
      })
      assert.equal((await call(peer, 'adds', 'local')).text, 'local')
      const gone = await ask(peer, 'tasks/get', { taskId: first.id })
      assert(
        gone.reason !== undefined && gone.reason !== 'internal_error',
        `Expected a named error, got ${gone.reason}`,
      )
      let refused = 0
      const later = await until('a task that is accepted', async () => {
        const answer = await submit(peer, 'adds', 'later')
        if (answer.id !== '') return answer
        assert(answer.retryable, `Expected an error that asks to come back, got ${answer.reason}`)
        refused += 1
        return undefined
      })
      const other = await connect(two)
      assert.equal((await ask(other, 'tasks/result', { taskId: later.id })).text, 'later')
      assert.equal(runs('later'), 1)
      for (const gateway of gateways) {
        // oxlint-disable-next-line no-await-in-loop
        await until('a gateway that is ready', async () => (await readiness(gateway)) === 'ready')
      }
      return `${deleted} streams deleted and made anew; ${refused} submissions were refused until then`
    }),
}
