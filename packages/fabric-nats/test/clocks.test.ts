import { eventually, type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acquainted, joinCluster, leaveCluster } from './nats-cluster.ts'

let server: NatsServer

beforeAll(async () => {
  server = await startNatsServer()
})

afterAll(async () => {
  await server.stop()
})

test('a node sees how far the clocks of others are ahead', async () => {
  const right = await joinCluster(server, { cluster: 'c' })
  const ahead = await joinCluster(server, { cluster: 'c', now: () => Date.now() + 300_000 })
  await acquainted([right, ahead])
  await eventually(() => {
    expect(right.fabric.readings().clocksAheadMs[ahead.fabric.node]).toBeGreaterThan(299_000)
    expect(ahead.fabric.readings().clocksAheadMs[right.fabric.node]).toBeLessThan(-299_000)
  })
  await leaveCluster(ahead)
  await eventually(() => expect(right.fabric.readings().clocksAheadMs).toEqual({}))
  await leaveCluster(right)
})
