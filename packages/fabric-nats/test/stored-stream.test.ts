import { type ChaosProxy, createChaosProxy, eventually, startNatsServer } from '@junctor/testkit'
import { silentLog } from '@junctor/contracts'
import { DiscardPolicy, RetentionPolicy } from '@nats-io/jetstream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { nanos } from '@nats-io/transport-node'
import type { Storage } from '../src/storage/storage.ts'
import { StoredStream } from '../src/storage/stored-stream.ts'
import { connectStorage } from './connect-storage.ts'
import { storageFixture } from './storage-fixture.ts'

const fixture = storageFixture()
/** The storage behind a network that loses answers. */
let lossy: Storage
let network: ChaosProxy
let streams = 0

beforeEach(async () => {
  streams += 1
  network = await createChaosProxy({ port: fixture.server.port })
  lossy = await connectStorage({ url: `nats://127.0.0.1:${network.port}` })
})

afterEach(async () => {
  await lossy.connection.close()
  await network.close()
})

function open(storage: Storage): StoredStream {
  const name = `s${streams}`
  return new StoredStream(storage, { kind: 'store', name, subjects: `${name}.>`, retention: RetentionPolicy.Limits })
}

const loseAnswers = { timeout: { timeout: 0 } }

describe('a publish whose answer is lost', () => {
  test.each([undefined, 0])('is stored once, and succeeds, when it expects %j', async (expected) => {
    const stream = open(lossy)
    const subject = `s${streams}.a`
    await stream.make()
    network.set('downstream', loseAnswers)
    const published = stream.publish(subject, Buffer.from('text'), expected === undefined ? {} : { expected })
    const stored = await eventually(async () => {
      const messages = await open(fixture.storage).read(subject)
      expect(messages).toHaveLength(1)
      return messages[0]
    })
    network.set('downstream')
    expect(await published).toBe(stored?.sequence)
    expect(await open(fixture.storage).read(subject)).toHaveLength(1)
  })

  test('and that others have followed since, is neither a success nor a conflict', async () => {
    const stream = open(lossy)
    const subject = `s${streams}.a`
    await stream.make()
    network.set('downstream', loseAnswers)
    const published = stream
      .publish(subject, Buffer.from('own'), { expected: 0 })
      .then(String, (error: unknown) => error)
    await eventually(async () => expect((await open(fixture.storage).last(subject)).message).toBeDefined())
    await open(fixture.storage).publish(subject, Buffer.from('of another'))
    network.set('downstream')
    // An old server knows the id, and returns the sequence of the message.
    expect([expect.objectContaining({ code: 'FABRIC_UNAVAILABLE' }), '1']).toContainEqual(await published)
    expect(await open(fixture.storage).read(subject)).toHaveLength(2)
  })
})

test('while the connection is lost, a message may be as large as the last server took', async () => {
  const other = await startNatsServer()
  const there = await connectStorage(other)
  const stream = open(there)
  const { room } = stream
  expect(room).toBeLessThan(1_048_576)
  await other.kill()
  // The library knows nothing of the server while it connects again.
  await eventually(() => expect(there.connection.info).toBeUndefined())
  expect(stream.room).toBe(room)
  await there.connection.close()
  await other.stop()
})

test('a conflict is reported immediately', async () => {
  const stream = open(fixture.storage)
  const subject = `s${streams}.a`
  const first = await stream.publish(subject, Buffer.from('first'), { expected: 0 })
  expect(await stream.publish(subject, Buffer.from('second'), { expected: 0 })).toBe('conflict')
  expect(await stream.publish(subject, Buffer.from('second'), { expected: Number(first) + 1 })).toBe('conflict')
  expect(await stream.publish(subject, Buffer.from('second'), { expected: Number(first) })).toBeGreaterThan(
    Number(first),
  )
})

test('a publish that a full server refuses says that nothing is stored', async () => {
  const stream = open(fixture.storage)
  const subject = `s${streams}.a`
  await stream.publish(subject, Buffer.from('first'))
  const { streams: all } = fixture.storage.manager
  await all.update(`s${streams}`, { max_msgs: 1, discard: DiscardPolicy.New })
  await expect(stream.publish(subject, Buffer.from('second'))).rejects.toMatchObject({ code: 'FABRIC_REFUSED' })
  expect(await stream.read(subject)).toHaveLength(1)
})

test('a read that the server does not answer fails', async () => {
  const stream = open(lossy)
  await stream.publish(`s${streams}.a`, Buffer.from('text'))
  network.set('downstream', loseAnswers)
  await expect(stream.last(`s${streams}.a`)).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
})

/** A storage whose server ends each request for messages early: after as many bytes. */
function inPortions(storage: Storage, bytes: number): Storage {
  const { connection } = storage
  const publish: typeof connection.publish = (subject, payload, options) => {
    const isRequest = subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.')
    const request = isRequest ? { ...(JSON.parse(String(payload)) as object), max_bytes: bytes } : undefined
    connection.publish(subject, request === undefined ? payload : JSON.stringify(request), options)
  }
  const limited = new Proxy(connection, {
    get(target, name) {
      const value: unknown = name === 'publish' ? publish : Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  return { ...storage, connection: limited }
}

test('all messages are read, also when the server ends the request for them early', async () => {
  const subject = `s${streams}.a`
  const texts = ['one', 'two', 'three', 'four', 'five']
  const stream = open(fixture.storage)
  for (const text of texts) await stream.publish(subject, Buffer.from(text.padEnd(1_000)))
  const read = await open(inPortions(fixture.storage, 3_500)).read(subject)
  expect(read.map((message) => message.text().trim())).toEqual(texts)
})

test('messages are read that take longer to arrive than the server may take to answer', async () => {
  const stream = open(fixture.storage)
  const piece = Buffer.alloc(stream.room, 'x')
  for (let count = 0; count < 12; count += 1) await stream.publish(`s${streams}.a`, piece)
  network.set('downstream', { bandwidth: { rate: 4_000 } })
  const read = await open(lossy).read(`s${streams}.a`)
  expect(read.map(({ data }) => data.length)).toEqual(Array.from({ length: 12 }, () => piece.length))
})

test('messages that are removed while they are read are left out', async () => {
  const subject = `s${streams}.a`
  const stream = open(fixture.storage)
  const texts = ['one', 'two', 'three']
  for (const text of texts) await stream.publish(subject, Buffer.from(text))
  const { manager } = fixture.storage
  const add: typeof manager.consumers.add = async (name, config) => {
    const added = await manager.consumers.add(name, config)
    await manager.streams.purge(name, { filter: subject, seq: 3 })
    return added
  }
  const consumers: unknown = Object.assign(Object.create(manager.consumers), { add })
  const removing = Object.create(manager, { consumers: { value: consumers } }) as typeof manager
  const read = await open({ ...fixture.storage, manager: removing }).read(subject)
  expect(read.map((message) => message.text())).toEqual(['three'])
})

test('messages keep their fields, their text byte for byte, and the time of their storage', async () => {
  const stream = open(fixture.storage)
  const before = Date.now()
  await stream.publish(`s${streams}.a`, Buffer.from('ä\r\n\0'), { fields: { 'X-Field': 'value' } })
  const { message: last } = await stream.last(`s${streams}.a`)
  for (const message of [last, (await stream.read(`s${streams}.>`))[0]]) {
    expect(message).toMatchObject({ subject: `s${streams}.a`, sequence: 1 })
    expect(message?.text()).toBe('ä\r\n\0')
    expect(message?.field('X-Field')).toBe('value')
    expect(message?.field('X-Other')).toBe('')
    expect(message?.storedAt).toBeGreaterThanOrEqual(before - 1)
    expect(message?.storedAt).toBeLessThanOrEqual(Date.now() + 1)
  }
})

test('a stream that several nodes create concurrently is available to all of them', async () => {
  const storages = await Promise.all(Array.from({ length: 4 }, () => connectStorage(fixture.server)))
  // Few rounds show the problem: servers of 2.9 report overlapping subjects while another node creates the same stream.
  for (let round = 0; round < 200; round += 1) {
    const shape = {
      kind: 'store',
      name: `r${round}`,
      subjects: `r${round}.>`,
      retention: RetentionPolicy.Limits,
      perSubject: 1,
    } as const
    const makers = [...storages, ...storages].map((storage) => new StoredStream(storage, shape))
    await expect(Promise.all(makers.map((maker) => maker.make()))).resolves.toHaveLength(makers.length)
  }
  await Promise.all(storages.map(({ connection }) => connection.close()))
})

test('an existing stream is used unchanged, and a different configuration is reported once', async () => {
  const { manager } = fixture.storage
  const name = `s${streams}`
  await manager.streams.add({ name, subjects: [`${name}.>`], max_age: nanos(60_000), allow_direct: false })
  const warned: unknown[] = []
  const log = { ...silentLog, warn: (_message: string, fields?: object) => warned.push(fields) }
  const stream = open({ ...fixture.storage, log })
  await stream.publish(`${name}.a`, Buffer.from('one'))
  expect((await stream.last(`${name}.a`)).message?.text()).toBe('one')
  stream.forget()
  await stream.publish(`${name}.a`, Buffer.from('two'))
  expect((await stream.last(`${name}.a`)).message?.text()).toBe('two')
  const differences = expect.arrayContaining(['allow_direct: expected true, found false']) as unknown
  expect(warned).toEqual([{ stream: name, differences, changed: ['max_age'] }])
  expect((await manager.streams.info(name)).config).toMatchObject({ max_age: 0, allow_direct: false })
})
