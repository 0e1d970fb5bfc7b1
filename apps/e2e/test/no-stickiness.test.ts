import type { JsonObject } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { describe, expect } from 'vitest'
import { startGateway } from '../src/gateway-under-test.ts'
import type { HttpAnswer } from '../src/http-wire.ts'
import { demo, lean } from '../src/in-gateway.ts'
import { natsTest } from '../src/nats-test.ts'
import { resultOf, textOf } from '../src/result-of.ts'
import { type AtNode, openSessionAtNodes } from '../src/session-at-nodes.ts'

// One session on three gateways, each step on another one. Its home is the first.

type Three = readonly [one: AtNode, two: AtNode, three: AtNode]

const call = (id: string, name: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...more },
})

const progressIn = (token: string, steps: number, delayMs = 1): JsonObject =>
  call(token, 'demo__progress', { steps, delayMs }, { _meta: { progressToken: token } })

/** The messages of a stream: the progress of each notification, the method of others, the id of each response. */
function messagesOn({ received }: AtNode, { stream }: HttpAnswer): readonly unknown[] {
  return received
    .filter((one) => one.stream === stream)
    .map(({ message: { method, params, id } }) => {
      return method === 'notifications/progress' ? (params as JsonObject)['progress'] : (method ?? id)
    })
}

async function asked(node: AtNode, method: string): Promise<JsonObject> {
  return (await node.until(({ message }) => message['method'] === method)).message
}

async function answered(node: AtNode, id: string): Promise<JsonObject> {
  return (await node.until(({ message }) => message['id'] === id && message['method'] === undefined)).message
}

async function atThree(nats: string | undefined, body: (nodes: Three) => Promise<void>): Promise<void> {
  const gateway = await startGateway({ nodes: 3, nats, config: { backends: { demo: demo(), lean: lean() } } })
  const session = await openSessionAtNodes(gateway.urls, { capabilities: { elicitation: {}, sampling: {} } })
  try {
    await body(session.nodes as unknown as Three)
  } finally {
    await session.close()
    await gateway.close()
  }
}

/** The steps of a conversation, each on another node. */
const steps: Readonly<Record<string, (nodes: Three) => Promise<void>>> = {
  async 'a question goes where the request came, and its answer may come anywhere'([one, two, three]) {
    const own = await two.get()
    expect(own.status).toBe(200)
    const posted = await three.post(call('asking', 'demo__ask'))
    const question = await asked(three, 'elicitation/create')
    await one.send({ jsonrpc: '2.0', id: question['id'] ?? '', result: { action: 'accept', content: ada } })
    expect(textOf(await answered(three, 'asking'))).toBe('Hello Ada, 36 is a fine age.')
    await posted.ended
    expect([one.received, two.received]).toEqual([[], []])
  },

  async 'a stream is resumed elsewhere, whichever node keeps it'([one, two, three]) {
    for (const [first, second] of [
      [three, two],
      [one, two],
      [two, one],
    ] as const) {
      const token = `steps ${first.received.length}`
      // oxlint-disable no-await-in-loop
      const posted = await first.post(progressIn(token, 6, 20))
      const { eventId = '' } = await first.until(({ message: { params } }) => {
        return (params as JsonObject | undefined)?.['progressToken'] === token
      })
      posted.drop()
      await posted.ended
      const rest = await second.get({ 'last-event-id': eventId })
      await rest.ended
      // oxlint-enable no-await-in-loop
      expect(messagesOn(second, rest)).toEqual([2, 3, 4, 5, 6, token])
    }
  },

  async 'a task is polled, and collected, elsewhere'([one, two, three]) {
    const created = await one.request('tools/call', { name: 'demo__slow', arguments: { ms: 100 }, task: {} })
    const { taskId } = resultOf(created)['task'] as { readonly taskId: string }
    await eventually(async () => {
      expect(resultOf(await three.request('tasks/get', { taskId }))).toMatchObject({ taskId, status: 'completed' })
    })
    expect(textOf(await two.request('tasks/result', { taskId }))).toBe('Did nothing for 100 ms')
  },

  async 'what is answered later waits for a stream, wherever that opens'([one, two, three]) {
    const later = { prefer: 'respond-async' }
    expect((await three.post(call('first', 'demo__slow', { ms: 50 }), later)).status).toBe(202)
    await one.get()
    expect(textOf(await answered(one, 'first'))).toBe('Did nothing for 50 ms')
    expect((await two.post(call('second', 'lean__echo', { n: 2 }), later)).status).toBe(202)
    await answered(one, 'second')
    // As JSON text inside JSON text, it is larger than a message of NATS may be.
    const large = '"'.repeat(400_000)
    expect((await two.post(call('large', 'demo__echo', { message: large }), later)).status).toBe(202)
    expect(textOf(await answered(one, 'large'))).toHaveLength(large.length)
    const queued = { status: 'queued' }
    expect([two, three].flatMap(({ received }) => received.map(({ message }) => message))).toEqual([
      queued,
      queued,
      queued,
    ])
  },

  async 'a cancel reaches the backend from anywhere'([one, two, three]) {
    const untilReceived = (what: string): Promise<void> =>
      eventually(async () => {
        const received = textOf(await three.request('tools/call', { name: 'lean__received', arguments: {} }))
        const times = received.split(what).length - 1
        if (times !== 2) throw new Error(`The backend has received ${what} ${times} times`)
      })
    await one.post(call('hangs', 'lean__hang'))
    await three.post(call('hangs too', 'lean__hang'))
    await untilReceived('"name":"hang"')
    await two.notify('notifications/cancelled', { requestId: 'hangs' })
    await two.notify('notifications/cancelled', { requestId: 'hangs too' })
    await untilReceived('notifications/cancelled')
  },

  async 'a subscription on one node gets updates on another, caused on a third'([one, two, three]) {
    const { resources } = resultOf(await two.request('resources/list')) as { resources?: { uri: string }[] }
    const uri = resources?.find((resource) => resource.uri.includes('counter'))?.uri ?? ''
    await one.request('resources/subscribe', { uri })
    const own = await three.get()
    await two.request('tools/call', { name: 'demo__tick', arguments: {} })
    expect(await asked(three, 'notifications/resources/updated')).toMatchObject({ params: { uri } })
    await two.request('resources/unsubscribe', { uri })
    await one.request('tools/call', { name: 'demo__tick', arguments: {} })
    await three.request('ping')
    expect(messagesOn(three, own)).toEqual(['notifications/resources/updated'])
  },

  async 'a change of a list is sent on the node that has the stream'([one, two, three]) {
    await one.request('tools/list')
    await three.get()
    await two.request('tools/call', { name: 'lean__flood', arguments: {} })
    await asked(three, 'notifications/tools/list_changed')
    expect([one, two].flatMap(({ received }) => received.filter(({ message }) => 'method' in message))).toEqual([])
  },

  async 'progress comes where the request came, and the level of logging holds everywhere'([one, two, three]) {
    const posted = await two.post(progressIn('p', 3))
    await posted.ended
    expect(messagesOn(two, posted)).toEqual([1, 2, 3, 'p'])
    const levels = async (node: AtNode, id: string): Promise<readonly unknown[]> => {
      const logged = await node.post(call(id, 'demo__log'))
      await logged.ended
      return node.received
        .filter(({ stream, message }) => stream === logged.stream && message['method'] === 'notifications/message')
        .map(({ message }) => (message['params'] as JsonObject)['level'])
    }
    await three.request('logging/setLevel', { level: 'error' })
    expect(await levels(one, 'l1')).not.toContain('info')
    expect(await levels(two, 'l2')).not.toContain('info')
    await two.request('logging/setLevel', { level: 'debug' })
    expect(await levels(three, 'l3')).toContain('info')
    expect(await levels(one, 'l4')).toContain('info')
  },

  async 'a message that is too large for nodes is passed on in parts, or dropped, without other effects'([
    one,
    two,
    three,
  ]) {
    const large = '"'.repeat(700_000)
    await two.notify('notifications/cancelled', { requestId: large })
    await two.notify('notifications/roots/list_changed', { _meta: { large } })
    await three.post(call('asking', 'demo__summarize', { text: 'It is long.' }))
    const question = await asked(three, 'sampling/createMessage')
    const result = { model: 'm', role: 'assistant', content: { type: 'text', text: large } }
    await two.send({ jsonrpc: '2.0', id: question['id'] ?? '', result })
    expect(textOf(await answered(three, 'asking'))).toHaveLength(large.length)
    for (const node of [one, two, three]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await node.request('ping')).toMatchObject({ result: {} })
    }
  },

  async 'a session that is ended anywhere is gone everywhere'([one, two, three]) {
    const own = await two.get()
    expect((await three.delete()).status).toBe(204)
    await own.ended
    for (const node of [one, two, three]) {
      // oxlint-disable-next-line no-await-in-loop
      await eventually(async () =>
        expect((await node.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404),
      )
    }
  },
}

const ada = { name: 'Ada', age: 36 }

describe('three gateways in turn on NATS', () => {
  for (const [name, step] of Object.entries(steps)) natsTest(name, ({ nats }) => atThree(nats.url, step))
})

describe('three gateways in turn in memory', () => {
  for (const [name, step] of Object.entries(steps)) natsTest(name, () => atThree(undefined, step))
})
