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

test('a node measures how far the clocks of others are ahead', async () => {
  const right = await joinCluster(server, { cluster: 'c' })
  const ahead = await joinCluster(server, { cluster: 'c', now: () => Date.now() + 300_000 })
  await acquainted([right, ahead])
  await eventually(() => {
    expect(right.fabric.gauges().clocksAheadMs[ahead.fabric.node]).toBeGreaterThan(299_000)
    expect(ahead.fabric.gauges().clocksAheadMs[right.fabric.node]).toBeLessThan(-299_000)
  })
  // The way to a server that is near takes less than a millisecond.
  await eventually(() => expect((right.fabric.gauges().roundTripMs ?? 0) % 1).toBeGreaterThan(0))
  await leaveCluster(ahead)
  await eventually(() => expect(right.fabric.gauges().clocksAheadMs).toEqual({}))
  await leaveCluster(right)
})

test('data that nodes with wrong clocks store, and data stored for them, have the right lifetime', async () => {
  const clocks = [0, 300_000, -300_000]
  const nodes = await Promise.all(
    clocks.map((aheadMs) => joinCluster(server, { cluster: 'wrong', now: () => Date.now() + aheadMs })),
  )
  for (const { fabric } of nodes) expect(Math.abs(fabric.now() - Date.now())).toBeLessThan(2_000)
  const stores = nodes.map(({ fabric }) => fabric.store<number>('minute', 60_000))
  for (const [index, store] of stores.entries()) {
    const key = `of-${index}`
    // oxlint-disable no-await-in-loop -- one after the other
    await store.put(key, index)
    for (const other of stores) expect(await other.get(key)).toMatchObject({ value: index })
    // oxlint-enable no-await-in-loop
  }
  const short = nodes.map(({ fabric }) => fabric.store<number>('moment', 300))
  await Promise.all(short.map((store, index) => store.put(`of-${index}`, index)))
  await eventually(async () => {
    for (const store of short) expect(await store.keys('')).toEqual([])
  })
  await Promise.all(nodes.map(leaveCluster))
})
