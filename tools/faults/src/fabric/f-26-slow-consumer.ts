import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { subjectsOf } from '@junctor/nats'
import { until } from '../client/until.ts'
import type { Scenario } from '../scenario.ts'
import { withConnection } from './raw-nats.ts'
import { call, cluster, fabricMetric, readiness, withFabric } from './scene.ts'

/** The number of messages to a node that reads nothing: more than the system and the server buffer for it. */
const messages = 300
const messageBytes = 200_000

/** NATS disconnects a node that does not read: it reconnects, and reports that. */
export const slowConsumer: Scenario = {
  id: 'F-26',
  title: 'a node reads too slowly, and NATS cuts it off',
  ways: ['http'],
  heavy: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
    const file = join(folder, 'nats.conf')
    writeFileSync(file, 'max_pending: 4MB\nwrite_deadline: "1s"\n')
    try {
      return await withFabric({ server: { args: ['-c', file] } }, async ({ server, gateways, connect, visit }) => {
        const [one, two] = gateways
        assert(one && two)
        const peer = await connect(one)
        const visitor = visit(two, peer.session)
        assert.equal((await call(visitor, 'adds', 'before')).text, 'before')
        one.child.kill('SIGSTOP')
        const cut = async (): Promise<number> => {
          const { slow_consumers } = (await (await fetch(`${server.monitor}/varz`)).json()) as {
            slow_consumers: number
          }
          return slow_consumers
        }
        await withConnection(server, async (connection) => {
          for (let sent = 0; sent < messages; sent += 1) {
            connection.publish(subjectsOf(cluster).all('control'), new Uint8Array(messageBytes))
          }
          await connection.flush()
          await until('a node that is cut off', async () => (await cut()) > 0)
        })
        one.child.kill('SIGCONT')
        await until('a node that is back', async () => (await fabricMetric(one, 'reconnects_total')) === 1)
        await until('a node that is ready', async () => (await readiness(one)) === 'ready')
        await until('calls between nodes', async () => (await call(visitor, 'adds', 'after')).text === 'after')
        assert.equal((await call(peer, 'adds', 'own')).text, 'own')
        return `cut off by the server after ${messages} messages it did not read, connected again once, and counted`
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
