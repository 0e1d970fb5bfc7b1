import type { Outcome } from '@junctor/exchange'
import { silentLog } from '@junctor/contracts'
import { type Credit, CreditWindow, inFull, printOpening, windowBytes } from '@junctor/fabric/wire'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { connectNats, subjectsOf, subjectToken } from '@junctor/nats'
import { createRequest, eventually, type NatsServer, recordExchange, startNatsServer } from '@junctor/testkit'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { unbatchMessages } from '../src/bus/batch-messages.ts'
import { createClusterKey } from '../src/seal/cluster-key.ts'
import { FrameReader, FrameWriter } from '../src/calls/frame-parts.ts'
import { Seal } from '../src/seal/seal.ts'
import { clusterKey, joinCluster, leaveCluster, type TestNode } from './nats-cluster.ts'

// One side of a call is a node of a later version: it has the key, and sends frames of kinds that this version does not
// know.

const subjects = subjectsOf('c')
const next = 'next'
const seal = new Seal([createClusterKey(clusterKey)], 'the-next')
/** More than may be in transit at a time. */
const many = 300
const unknown: JsonObject = { kind: 'hologram', payloads: [1, 2], more: 'x'.repeat((3 * windowBytes) / many) }

let server: NatsServer
let near: TestNode
/** The connection of the node of a later version. */
let connection: NatsConnection

beforeAll(async () => {
  server = await startNatsServer()
})

afterAll(() => server.stop())

beforeEach(async () => {
  near = await joinCluster(server, { cluster: 'c' })
  connection = await connectNats({ servers: [server.url] }, silentLog)
  // A node that subscribes to probes counts as present.
  connection.subscribe(subjects.node(next, 'probe'), { callback() {} })
  await connection.flush()
})

afterEach(async () => {
  await connection.close()
  await leaveCluster(near)
})

interface Side {
  /** The received frames, without their payloads. */
  readonly received: readonly JsonObject[]
  send(frame: JsonObject, ...payloads: readonly string[]): void
  /** The messages of a frame that is sent elsewhere. */
  print(frame: JsonObject): readonly Uint8Array[]
  /** Sends an event of an exchange. The other side's credit limits how many may be in transit. */
  emit(event: JsonObject): Promise<void> | undefined
}

/** One side of a call, reduced to frames. `to` returns the inbox of the other side, once it is known. */
function openSide(token: string, to: () => string): Side & { readonly deliver: (body: Uint8Array) => void } {
  const [reader, writer] = [new FrameReader(), new FrameWriter(65_536)]
  const window = new CreditWindow()
  const received: JsonObject[] = []
  const deliver = (body: Uint8Array): void => {
    const arrival = reader.read(body)
    if (arrival.kind !== 'frame') return
    const frame = JSON.parse(arrival.text.split('\n')[0] ?? '') as JsonObject
    received.push(frame)
    if (frame['kind'] === 'taken') window.taken(frame as unknown as Credit)
  }
  const inbox = subjects.inbox(next, token)
  connection.subscribe(subjects.inbox(next), {
    callback(_error, { subject, reply = '', data }) {
      const body = seal.open(subject, reply, data)
      const messages = typeof body === 'string' ? [] : unbatchMessages({ subject, reply, body })
      for (const message of messages) if (message.subject === inbox) deliver(message.body)
    },
  })
  const send: Side['send'] = (frame, ...payloads) => {
    for (const body of writer.write([JSON.stringify(frame), ...payloads].join('\n')) ?? []) {
      connection.publish(to(), seal.close(to(), '', body))
    }
  }
  return {
    received,
    deliver,
    send,
    print: (frame) => writer.write(JSON.stringify(frame)) ?? [],
    emit(event) {
      send(event)
      return window.sent(JSON.stringify(event).length)
    },
  }
}

/** Serves a service once, as a node of a later version does. */
async function holdOnce(service: string, run: (side: Side) => Promise<void> | void): Promise<void> {
  const subject = subjects.call(service)
  connection.subscribe(subject, {
    queue: subjectToken(service),
    max: 1,
    callback(_error, { reply = '', data }) {
      const side = openSide('holder', () => reply)
      const body = seal.open(subject, reply, data)
      if (typeof body !== 'string') side.deliver(body)
      side.send({ kind: 'accepted', node: next, token: 'holder', more: true })
      void run(side)
    },
  })
  await connection.flush()
}

test('events of an unknown kind are ignored, and later events arrive', async () => {
  await holdOnce('backend', async (side) => {
    await side.emit({ kind: 'chunk', data: 1, more: 'to come' })
    for (let count = 0; count < many; count += 1) await side.emit(unknown)
    await side.emit({ kind: 'chunk', data: 2 })
    side.send({ kind: 'outcome', outcome: { kind: 'complete', result: 1, more: 'to come' } }, '"done"')
  })
  const client = recordExchange()
  const outcome = await near.fabric.call({ service: 'backend' }, createRequest('m'), client.exchange)
  expect(outcome.kind).toBe('complete')
  expect(client.events).toEqual([
    { kind: 'chunk', data: 1 },
    { kind: 'chunk', data: 2 },
  ])
})

test('a call that is given up answers the asks of its holder, which may wait for them longer than the call', async () => {
  let holder: Side | undefined = undefined
  await holdOnce('backend', (side) => {
    holder = side
    side.send({ kind: 'ask', id: 'ask-1', method: 'roots/list', guessed: true })
    side.send({ kind: 'outcome', outcome: { kind: 'entangled', with: 'another' } })
  })
  await near.fabric.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
  await eventually(() =>
    expect(holder?.received.slice(-2)).toMatchObject([
      { kind: 'end', reason: 'disconnected' },
      { kind: 'answer', id: 'ask-1' },
    ]),
  )
})

test('an outcome of an unknown kind is an error with a name', async () => {
  await holdOnce('backend', (side) => side.send({ kind: 'outcome', outcome: { kind: 'entangled', with: 'another' } }))
  const outcome = await near.fabric.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
  expect(reasonOf(outcome)).toBe('backend_exited')
})

test('a node that has received the full context, and reports it as unknown, does not receive it again', async () => {
  await holdOnce('backend', (side) => side.send({ kind: 'unknown_context' }))
  const outcome = await near.fabric.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
  expect(reasonOf(outcome)).toBe('backend_exited')
})

test('an answer of an unknown kind to an ask does not keep the call open', async () => {
  const answered = Promise.withResolvers<unknown>()
  await near.fabric.serve('backend', async (_request, exchange) => {
    answered.resolve(await exchange.ask({ method: 'roots/list', params: undefined }))
    return { kind: 'complete', result: payloadOf('done') }
  })
  const side = place('backend')
  await eventually(() => expect(side.received.map(({ kind }) => kind)).toContain('ask'))
  for (let count = 0; count < many; count += 1) side.send(unknown)
  const { id = '' } = side.received.find(({ kind }) => kind === 'ask') ?? {}
  side.send({ ...unknown, id })
  side.send({ kind: 'answer', id, result: 1, more: 'to come' }, '{"roots":[]}')
  await answered.promise
  await eventually(() => expect(side.received.at(-1)).toMatchObject({ kind: 'outcome', outcome: { kind: 'complete' } }))
})

test.each<[string, (node: string) => string, string]>([
  ['announcements', () => subjects.all('alive'), 'presence'],
  ['control messages to a node', (node) => subjects.node(node, 'control'), 'control'],
  ['control messages to all', () => subjects.all('control'), 'control'],
  ['calls', (node) => subjects.node(node, 'call'), 'call'],
])('%s that cannot be read are reported, and those after them are handled', async (_what, subjectOf, kind) => {
  const reported: unknown[][] = []
  const node = await joinCluster(server, { cluster: 'c', unreadable: (...about) => void reported.push(about) })
  const received: unknown[] = []
  node.fabric.onControl((control) => void received.push(control))
  const garbage = [
    'null',
    '7',
    '{"half":',
    '[]',
    '{}',
    '{"node":7,"control":{}}',
    '{"from":"next","control":{"kind":7}}',
  ]
  const subject = subjectOf(node.fabric.node)
  const reply = kind === 'call' ? subjects.inbox(next, 'caller') : ''
  for (const text of garbage) {
    const body = kind === 'call' ? (new FrameWriter(65_536).write(text)?.[0] ?? new Uint8Array()) : Buffer.from(text)
    connection.publish(subject, seal.close(subject, reply, body), reply === '' ? {} : { reply })
  }
  await eventually(() => expect(reported).toHaveLength(garbage.length))
  expect(reported).toEqual(garbage.map(() => [kind, expect.any(String), expect.stringContaining('expected')]))
  expect(await near.fabric.send(node.fabric.node, { kind: 'k', body: 1 })).toBe(true)
  await eventually(() => expect(received).toEqual([{ kind: 'k', body: 1 }]))
  await leaveCluster(node)
})

/** Places a call as a node of a later version does. */
function place(service: string): Side {
  const { exchange } = recordExchange()
  const { id, context, deadline, attempt, wantsProgress } = exchange
  const side = openSide('caller', () => {
    const accepted = side.received.find(({ kind }) => kind === 'accepted')
    const { node = '', token = '' } = (accepted ?? {}) as { node?: string; token?: string }
    return subjects.inbox(node, token)
  })
  const request = createRequest('m')
  const text = printOpening({ service, exchange: id, request, context, deadline, attempt, wantsProgress }, inFull)
  const [head = '', ...payloads] = text.split('\n')
  const newer = { ...(JSON.parse(head) as JsonObject), priority: 'high' }
  const subject = subjects.call(service)
  const reply = subjects.inbox(next, 'caller')
  const [inquiry = new Uint8Array()] = side.print({ kind: 'inquiry', service, more: true })
  connection.publish(subject, seal.close(subject, reply, inquiry), { reply })
  void eventually(() => expect(side.received).toHaveLength(1)).then(() => side.send(newer, ...payloads))
  return side
}

function reasonOf(outcome: Outcome): unknown {
  if (outcome.kind !== 'error') return outcome.kind
  const data = outcome.error.data?.value() as { readonly reason?: unknown } | undefined
  return data?.reason
}
