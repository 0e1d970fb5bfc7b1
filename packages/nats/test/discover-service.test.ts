import { silentLog } from '@junctor/contracts'
import { type NatsServer, startNatsServer } from '@junctor/testkit'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectNats, discoverService, type DiscoverableService } from '../src/index.ts'

let server: NatsServer
let connection: NatsConnection

beforeAll(async () => {
  server = await startNatsServer()
  connection = await connectNats({ servers: [server.url] }, silentLog)
})

afterAll(async () => {
  await connection.close()
  await server.stop()
})

const service: DiscoverableService = {
  name: 'search',
  id: 'n1',
  version: '1.2.3',
  description: 'A backend',
  metadata: { node: 'n1' },
  subject: 'junctor.v1.prod.call.search',
  queue: 'search',
  stats: () => ({ requests: 4, errors: 1, ms: 2 }),
}

const about = { name: 'search', id: 'n1', version: '1.2.3', metadata: { node: 'n1' } }

/** Returns all answers to a request that any service may answer. */
async function ask(subject: string): Promise<unknown[]> {
  const answers: unknown[] = []
  for await (const message of await connection.requestMany(subject, '', { maxWait: 300 })) {
    if (message.data.length > 0) answers.push(message.json())
  }
  return answers
}

it('answers service discovery, by its name and by its id, until it is closed', async () => {
  const closer = discoverService(connection, service)
  const other = discoverService(connection, { ...service, id: 'n2', version: 'mine' })
  const pinged = { type: 'io.nats.micro.v1.ping_response', ...about }
  expect(await ask('$SRV.PING.search.n1')).toEqual([pinged])
  const all = [pinged, { ...pinged, id: 'n2', version: '0.0.0' }]
  expect(await ask('$SRV.PING')).toEqual(expect.arrayContaining(all))
  expect(await ask('$SRV.PING.search')).toHaveLength(2)
  expect(await ask('$SRV.INFO.search.n1')).toEqual([
    {
      type: 'io.nats.micro.v1.info_response',
      ...about,
      description: 'A backend',
      endpoints: [{ name: 'calls', subject: 'junctor.v1.prod.call.search', queue_group: 'search' }],
    },
  ])
  expect(await ask('$SRV.STATS.search.n1')).toEqual([
    {
      type: 'io.nats.micro.v1.stats_response',
      ...about,
      started: expect.stringMatching(/^\d{4}-.*Z$/),
      endpoints: [
        {
          name: 'calls',
          subject: 'junctor.v1.prod.call.search',
          queue_group: 'search',
          num_requests: 4,
          num_errors: 1,
          last_error: '',
          processing_time: 2_000_000,
          average_processing_time: 500_000,
        },
      ],
    },
  ])
  await closer.close()
  expect(await ask('$SRV.PING')).toEqual([{ ...pinged, id: 'n2', version: '0.0.0' }])
  await other.close()
})
