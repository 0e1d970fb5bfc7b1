import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRequest, eventually, type NatsServer, recordExchange, startNatsServer } from '@junctor/testkit'
import { jetstreamManager } from '@nats-io/jetstream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { joinCluster, leaveCluster, type TestNode } from './nats-cluster.ts'

/** The promised timeout of storage operations, in milliseconds, plus a reserve for a busy machine. */
const soonMs = 6_000

let server: NatsServer
let node: TestNode

beforeEach(async () => {
  server = await startNatsServer()
  node = await joinCluster(server, { cluster: 'c' })
})

afterEach(async () => {
  await leaveCluster(node)
  await server.stop()
})

const unavailable = { code: 'FABRIC_UNAVAILABLE' }
const bounds = { entries: 10, bytes: 1_000, ageMs: 60_000 }

/** All storage operations concurrently. */
function all(): Promise<readonly unknown[]> {
  const { fabric } = node
  const store = fabric.store('s', 60_000)
  const work = [
    store.put('key', 1),
    store.put('key', 1, 0),
    store.get('key'),
    store.delete('key'),
    store.keys(''),
    fabric.log('l', bounds).append('key', 'entry'),
    fabric.log('l', bounds).read('key', 0),
    fabric.queue('q', 60_000).push('id', 1),
    fabric.queue('q', 60_000).take(new AbortController().signal),
  ]
  return Promise.all(work.map((one) => one.then(String, (error: unknown) => error)))
}

test.each([
  ['that is gone', () => server.kill()],
  ['that does not answer', () => void process.kill(server.pid, 'SIGSTOP')],
])('with a server %s everything that needs storage fails in time, and is counted', async (_how, lose) => {
  await lose()
  for (let round = 0; round < 2; round += 1) {
    const start = performance.now()
    expect(await all()).toEqual(Array(9).fill(expect.objectContaining(unavailable)))
    expect(performance.now() - start).toBeLessThan(soonMs)
  }
  // The node itself also tries to store data.
  const { store, log, queue } = node.fabric.gauges().storageFailures
  expect([store >= 10, log, queue]).toEqual([true, 4, 4])
  await eventually(() => expect(node.fabric.gauges().problem).toBeDefined())
  await server.kill()
  await server.restart()
  await eventually(async () => expect(await node.fabric.store('s', 60_000).put('other', 1)).toBeTypeOf('number'))
  await eventually(() => expect(node.fabric.gauges().problem).toBeUndefined())
})

test('a node tells that its account may have no more streams: nothing that needs another one can be stored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'junctor-account-'))
  const file = join(folder, 'nats.conf')
  const account = '{ jetstream: { max_streams: 9 }, users: [{ user: node, password: secret }] }'
  await writeFile(file, `accounts: { NODES: ${account} }\nno_auth_user: node\n`)
  const limited = await startNatsServer({ args: ['-c', file] })
  const own = await joinCluster(limited, { cluster: 'c' })
  const { streams } = await jetstreamManager(own.connection)
  const fillers: string[] = []
  for (let isFull = false; !isFull;) {
    const name = `filler${fillers.length}`
    isFull = await streams.add({ name, subjects: [name] }).then(
      () => fillers.push(name) === 0,
      () => true,
    )
  }
  const append = (): Promise<number> => own.fabric.log('l', bounds).append('key', 'entry')
  await expect(append()).rejects.toMatchObject({ code: 'FABRIC_REFUSED' })
  await eventually(() => expect(own.fabric.gauges().problem).toContain('maximum number of streams'))
  for (const name of fillers) await streams.delete(name)
  await eventually(() => expect(own.fabric.gauges().problem).toBeUndefined())
  expect(await append()).toBe(1)
  await leaveCluster(own)
  await limited.stop()
  await rm(folder, { recursive: true })
})

test('without a server a call is refused, and was not sent', async () => {
  await server.kill()
  await eventually(() => expect(node.fabric.gauges().connected).toBe(false))
  const start = performance.now()
  const outcome = await node.fabric.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
  expect(performance.now() - start).toBeLessThan(soonMs)
  expect(outcome.kind === 'error' && outcome.error.data?.value()).toMatchObject({
    reason: 'fabric_unavailable',
    retryable: true,
  })
})

test('an operation during a restart of the server is done, once', async () => {
  const log = node.fabric.log('l', bounds)
  const store = node.fabric.store<number>('s', 60_000)
  await log.append('key', '0')
  await store.put('key', 0)
  const restarted = server.kill().then(() => server.restart())
  const done = await Promise.all([
    log.append('key', '1'),
    store.put('other', 1, 0),
    store.get('key'),
    log.read('key', 0),
    restarted,
  ])
  expect(done.slice(0, 2)).toEqual([2, expect.any(Number)])
  expect(await log.read('key', 0)).toHaveLength(2)
  expect(node.fabric.gauges()).toMatchObject({ reconnects: 1, storageFailures: { store: 0, log: 0, queue: 0 } })
})

test('takers of a queue continue as soon as the server is back', async () => {
  const queue = node.fabric.queue<string>('q', 60_000)
  const taken = queue.take(AbortSignal.timeout(30_000))
  // The taker waits at the server.
  await queue.push('first', 'value')
  expect(await taken).toHaveProperty('id', 'first')
  const next = queue.take(AbortSignal.timeout(30_000))
  await server.kill()
  await server.restart()
  await eventually(() => queue.push('second', 'value'))
  const start = performance.now()
  expect(await next).toHaveProperty('id', 'second')
  expect(performance.now() - start).toBeLessThan(2_500)
})
