import {
  type Answer,
  type Client,
  type JsonValue,
  type Notification,
  payloadOf,
  type RequestId,
  requestIdValue,
  type Scope,
  silentLog,
} from '@junctor/plugin-sdk/link'
import { createRequest, recordClient, recordExchange, eventually } from '@junctor/testkit'
import { expect, test, vi } from 'vitest'
import { type RelayedCall, UpstreamRelay } from './upstream-relay.ts'

const own: Scope = { tenant: 't', principal: 'p', session: 's', capabilities: {}, key: 'k' }
const shared: Scope = { ...own, principal: undefined, session: undefined }

function relayFor(scope: Scope) {
  const client = recordClient({ answer: () => ({ result: payloadOf({ roots: [] }) }) })
  const relay = new UpstreamRelay({ scope, client, log: silentLog, correlates: false })
  const answers: [RequestId, Answer][] = []
  const respond = (id: RequestId, answer: Answer): void => void answers.push([id, answer])
  return { relay, client, answers, respond }
}

function begin(relay: UpstreamRelay, progressToken?: number) {
  const recorded = recordExchange()
  const drop = vi.fn<() => void>()
  const call: RelayedCall = { exchange: recorded.exchange, progressToken, place: undefined, drop }
  relay.began(call)
  return { ...recorded, call, drop }
}

const sent = (method: string, params: JsonValue = {}): Notification => ({
  kind: 'notification',
  dialect: '2.0',
  method,
  params: payloadOf(params),
})

test('a request that no client can answer is answered with an error, because the server waits', async () => {
  const client = Object.assign(recordClient(), { ask: () => Promise.reject(new Error('broken')) })
  const error = vi.fn<typeof silentLog.error>()
  const relay = new UpstreamRelay({ scope: own, client, log: { ...silentLog, error }, correlates: false })
  const answers: [RequestId, Answer][] = []
  relay.request(createRequest('roots/list', {}), undefined, (id, answer) => void answers.push([id, answer]))
  await eventually(() => expect(answers).toMatchObject([[expect.anything(), { error: { code: -32_603 } }]]))
  expect(error).toHaveBeenCalledOnce()
})

test('a request whose params are an array reaches no client, and its server gets an error', () => {
  const { relay, client, answers, respond } = relayFor(own)
  const ask = vi.spyOn(client, 'ask')
  relay.request({ ...createRequest('roots/list', {}), params: payloadOf([1]) }, undefined, respond)
  expect(answers).toMatchObject([[expect.anything(), { error: { code: -32_602, message: 'Invalid params' } }]])
  expect(ask).not.toHaveBeenCalled()
})

test('a question that fails leaves a later one with its id, which the server can still withdraw', async () => {
  const asked: { readonly fail: (error: Error) => void; readonly signal: AbortSignal | undefined }[] = []
  const ask: Client['ask'] = (_request, options) =>
    new Promise((_resolve, fail) => void asked.push({ fail, signal: options?.signal }))
  const relay = new UpstreamRelay({ scope: own, client: { ...recordClient(), ask }, log: silentLog, correlates: false })
  const answers: Answer[] = []
  const request = createRequest('roots/list', {})
  const sendQuestion = (): void => relay.request(request, undefined, (_id, answer) => void answers.push(answer))
  sendQuestion()
  sendQuestion()
  asked[0]?.fail(new Error('broken'))
  await eventually(() => expect(answers).toHaveLength(1))
  relay.notification(sent('notifications/cancelled', { requestId: requestIdValue(request.id) }), undefined)
  expect(asked[1]?.signal?.aborted).toBe(true)
})

test('a server that asks without end is refused beyond a bound, also with one id, and asks again when it has answers', async () => {
  const asked: ((answer: Answer) => void)[] = []
  const ask = (): Promise<Answer> => new Promise((resolve) => void asked.push(resolve))
  const relay = new UpstreamRelay({ scope: own, client: { ...recordClient(), ask }, log: silentLog, correlates: false })
  const answers: Answer[] = []
  const request = createRequest('roots/list', {})
  for (let count = 0; count < 5_000; count += 1) {
    relay.request(request, undefined, (_id, answer) => void answers.push(answer))
  }
  expect(asked).toHaveLength(4_096)
  expect(answers).toHaveLength(5_000 - 4_096)
  expect(answers[0]).toMatchObject({ error: { message: 'The gateway is overloaded' } })
  const roots = { result: payloadOf({ roots: [] }) }
  asked[0]?.(roots)
  await eventually(() => expect(answers.at(-1)).toEqual(roots))
  relay.request(request, undefined, () => {})
  expect(asked).toHaveLength(4_097)
})

test('a server that asks at length is refused before that takes much memory, and may ask one thing of any length', async () => {
  const asked: ((answer: Answer) => void)[] = []
  const ask = (): Promise<Answer> => new Promise((resolve) => void asked.push(resolve))
  const relay = new UpstreamRelay({ scope: own, client: { ...recordClient(), ask }, log: silentLog, correlates: false })
  const answers: Answer[] = []
  const take = (length: number): void =>
    relay.request(createRequest('roots/list', { text: 'x'.repeat(length) }), undefined, (_id, answer) => {
      answers.push(answer)
    })
  const [mega, most] = [1024 * 1024, 33 * 1024 * 1024]
  take(most)
  expect(asked).toHaveLength(1)
  take(mega)
  expect(answers).toMatchObject([{ error: { message: 'The gateway is overloaded' } }])
  const roots = { result: payloadOf({ roots: [] }) }
  asked[0]?.(roots)
  await eventually(() => expect(answers.at(-1)).toEqual(roots))
  for (let count = 0; count < 100; count += 1) take(mega)
  expect(asked).toHaveLength(1 + 31)
})

test('progress goes to the call that has the token, also while others are in flight', () => {
  const { relay } = relayFor(own)
  const calls = [begin(relay, relay.nextToken()), begin(relay, relay.nextToken())] as const
  relay.notification(
    sent('notifications/progress', { progressToken: 1, progress: 5, total: 9, message: 'm' }),
    undefined,
  )
  expect(calls[0].events).toEqual([{ kind: 'progress', progress: { progress: 5, total: 9, message: 'm' } }])
  expect(calls[1].events).toEqual([])
})

test('progress has its call also when the server has made a text of the token', () => {
  const { relay } = relayFor(own)
  const { events } = begin(relay, relay.nextToken())
  relay.notification(sent('notifications/progress', { progressToken: '1', progress: 5 }), undefined)
  expect(events).toEqual([{ kind: 'progress', progress: { progress: 5 } }])
})

test.each([
  [{ progressToken: 2, progress: 1 }],
  [{ progressToken: 'one', progress: 1 }],
  [{ progressToken: null, progress: 1 }],
  [{ progressToken: 1 }],
  [{ progressToken: 1, progress: '1' }],
  [{ progress: 1 }],
  [[1]],
])('progress %j belongs to no call', (params) => {
  const { relay, client } = relayFor(own)
  const call = begin(relay, relay.nextToken())
  relay.notification(sent('notifications/progress', params), undefined)
  expect(call.events).toEqual([])
  expect(client.notifications).toEqual([])
})

test('progress of a call that is over is dropped', () => {
  const { relay } = relayFor(own)
  const { call, events } = begin(relay, relay.nextToken())
  relay.finished(call)
  relay.notification(sent('notifications/progress', { progressToken: 1, progress: 1 }), undefined)
  expect(events).toEqual([])
})

test.each([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
])('%s is for the client of the link, also of a shared one', (method) => {
  const { relay, client } = relayFor(shared)
  const { events, exchange } = begin(relay)
  relay.notification(sent(method), undefined)
  relay.notification(sent(method), exchange)
  expect(client.notifications).toHaveLength(2)
  expect(events).toEqual([])
})

test('a log message goes to the call that caused it, the only call, the link’s client, or no client', () => {
  const log = sent('notifications/message', { data: 'x' })
  const mine = relayFor(own)
  mine.relay.notification(log, undefined)
  expect(mine.client.notifications).toHaveLength(1)
  const first = begin(mine.relay)
  mine.relay.notification(log, undefined)
  expect(first.events).toHaveLength(1)
  const second = begin(mine.relay)
  mine.relay.notification(log, undefined)
  expect(mine.client.notifications).toHaveLength(2)
  mine.relay.notification(log, first.exchange)
  expect([first.events.length, second.events.length]).toEqual([2, 0])

  const everyones = relayFor(shared)
  const only = begin(everyones.relay)
  everyones.relay.notification(log, undefined)
  expect(everyones.client.notifications).toEqual([])
  expect(only.events).toEqual([])
})

test('a request that the upstream cancels is cancelled at the client, and not answered', async () => {
  const { relay, answers, respond } = relayFor(own)
  const { events, asks, exchange } = begin(relay)
  relay.request(createRequest('roots/list', {}, 'q'), exchange, respond)
  expect(asks.size).toBe(1)
  relay.notification(sent('notifications/cancelled', { requestId: 'other' }), undefined)
  expect(asks.size).toBe(1)
  relay.notification(sent('notifications/cancelled', { requestId: 'q' }), undefined)
  await eventually(() => expect(asks.size).toBe(0))
  expect(events.map(({ kind }) => kind)).toEqual(['ask', 'withdrawn'])
  expect(answers).toEqual([])
})

test('when the link closes, open requests are cancelled and calls settled', async () => {
  const { relay, answers, respond } = relayFor(own)
  const { asks, exchange, drop } = begin(relay)
  relay.request(createRequest('roots/list', {}, 0), exchange, respond)
  relay.close()
  expect(drop).toHaveBeenCalledOnce()
  await eventually(() => expect(asks.size).toBe(0))
  expect(answers).toEqual([])
})

test("a request is answered with the client's answer, under the upstream's id", async () => {
  const { relay, answers, respond } = relayFor(own)
  relay.request(createRequest('roots/list', {}, 0), undefined, respond)
  await eventually(() => expect(answers).toHaveLength(1))
  expect(answers[0]?.[0]).toBe('0')
  expect(answers[0]?.[1]).toHaveProperty('result')
})

test.each([
  ['a ping', own, 'ping', undefined],
  ['an unknown request', own, 'tasks/list', -32601],
  ['a question on a shared link', shared, 'sampling/createMessage', -32601],
])('%s is answered immediately', (_, scope, method, code) => {
  const { relay, answers, respond } = relayFor(scope)
  relay.request(createRequest(method, {}, 'a'), undefined, respond)
  expect(answers).toHaveLength(1)
  const [, answer] = answers[0] ?? []
  expect((answer as { error?: { code: number } }).error?.code).toBe(code)
})

test('a roots request outlives the call on which it was shown', async () => {
  const { relay, answers, respond } = relayFor(own)
  const { exchange, asks } = begin(relay)
  relay.request(createRequest('roots/list', {}, 0), undefined, respond)
  const [id] = asks.keys()
  exchange.settle({ kind: 'complete', result: payloadOf({}) })
  const answer = { result: payloadOf({ roots: [] }) }
  exchange.answer(id ?? '', answer)
  await eventually(() => expect(answers.map(([, given]) => given)).toEqual([answer]))
})
