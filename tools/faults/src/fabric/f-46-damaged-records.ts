import assert from 'node:assert/strict'
import { subjectsOf } from '@junctor/nats'
import { headers } from '@nats-io/transport-node'
import type { Scenario } from '../scenario.ts'
import { askJetStream, withConnection } from './raw-nats.ts'
import { ask, call, cluster, submit, withFabric } from './scene.ts'

/** Values that replace a record. */
const damages = ['', 'no JSON', '{"half":', 'null', '[]', '{}', '{"id":7}', '"text"'] as const

/** A damaged record counts as absent; no other is affected. */
export const damagedRecords: Scenario = {
  id: 'F-46',
  title: 'records in NATS are damaged',
  ways: ['http'],
  run: () =>
    withFabric({}, async ({ server, gateways, connect, visit }) => {
      const [one, two] = gateways
      assert(one && two)
      const whole = await connect(one)
      const kept = await submit(whole, 'sets', 'kept')
      let seen = 0
      for (const damage of damages) {
        // Each kind of damage has its own records.
        // oxlint-disable no-await-in-loop
        const peer = await connect(one)
        const task = await submit(peer, 'sets', `of ${damage}`)
        assert.equal((await ask(peer, 'tasks/result', { taskId: task.id })).text, `of ${damage}`)
        await overwrite(server, 'sessions', peer.session ?? '', damage)
        await overwrite(server, 'jobs', task.id, damage)
        const visitor = visit(two, peer.session)
        const status = await visitor.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
        assert([404, 503].includes(status), `Expected no such session, got ${status}`)
        assert.equal((await call(peer, 'adds', 'at home')).text, 'at home')
        const { reason } = await ask(peer, 'tasks/get', { taskId: task.id })
        assert(reason !== undefined && reason !== 'internal_error', `Expected a named error, got ${reason}`)
        assert.equal((await ask(peer, 'tasks/get', { taskId: kept.id })).reason, undefined)
        seen += 1
        // oxlint-enable no-await-in-loop
      }
      assert.equal((await call(visit(two, whole.session), 'adds', 'elsewhere')).text, 'elsewhere')
      assert.equal((await ask(whole, 'tasks/result', { taskId: kept.id })).text, 'kept')
      return `${seen} kinds of damage to sessions and jobs: those were as absent, the others as before`
    }),
}

/** Replaces a record by another value with the same lifetime. */
async function overwrite(
  server: Parameters<typeof withConnection>[0],
  store: string,
  key: string,
  text: string,
): Promise<void> {
  await withConnection(server, async (connection) => {
    const stream = `KV_${subjectsOf(cluster).bucket(store)}`
    const info = await askJetStream(connection, `STREAM.INFO.${stream}`, { subjects_filter: '>' })
    const { subjects = {} } = info['state'] as { subjects?: Record<string, number> }
    // Keys are escaped in subjects; their random part is not.
    const subject = Object.keys(subjects).find((name) => name.endsWith(key.replace(/^[a-z]_/, '')))
    assert(subject !== undefined, `Expected a record of ${key} among ${Object.keys(subjects).length}`)
    const fields = headers()
    fields.set('Junctor-Expires', String(Date.now() + 600_000))
    await connection.request(subject, text, { timeout: 5_000, headers: fields })
  })
}
