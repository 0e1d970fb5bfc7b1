import {
  type JsonObject,
  type ListKind,
  type NotificationBody,
  payloadOf,
  type Payload,
  requestId,
  silentLog,
} from '@junctor/plugin-sdk/link'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Listening } from './listening.ts'
import type { RequestListener, SentRequest } from './stateless-wire.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A subscription at the server, as the wire has sent it. */
interface Sent {
  readonly listener: RequestListener
  readonly uris: readonly string[]
  readonly cancel: ReturnType<typeof vi.fn<SentRequest['cancel']>>
}

function listen(capabilities: JsonObject = {}) {
  const sent: Sent[] = []
  const notified: NotificationBody[] = []
  const send = (_method: string, params: Payload, listener: RequestListener): SentRequest => {
    const { notifications } = params.value() as { notifications: { resourceSubscriptions?: string[] } }
    const cancel = vi.fn<SentRequest['cancel']>()
    sent.push({ listener, uris: notifications.resourceSubscriptions ?? [], cancel })
    return { id: requestId(sent.length), cancel }
  }
  const server = { revision: '2026-07-28', capabilities, info: {}, instructions: undefined } as const
  const haveChanged = vi.fn<(kinds: readonly ListKind[]) => Promise<boolean>>(async () => false)
  const listening = new Listening({
    wire: { send },
    server,
    log: silentLog,
    notify: (one) => notified.push(one),
    haveChanged,
  })
  const acknowledge = (at: number): void => {
    const { listener, uris } = sent[at] ?? { listener: undefined, uris: [] }
    const params = payloadOf({ notifications: { resourceSubscriptions: [...uris] } })
    listener?.notification({
      kind: 'notification',
      dialect: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params,
    })
  }
  /** Subscribes to a resource, in the subscription at this place; the server acknowledges it. */
  const subscribe = async (uri: string, at: number): Promise<void> => {
    const added = listening.add(uri)
    await vi.advanceTimersByTimeAsync(0)
    acknowledge(at)
    expect(await added).toBe(true)
  }
  return { listening, sent, acknowledge, subscribe, notified, haveChanged }
}

/** The subscriptions that are still open at the server. */
function openAmong(sent: readonly Sent[]): readonly Sent[] {
  return sent.filter(({ cancel }) => cancel.mock.calls.length === 0)
}

test('a subscription that is not acknowledged is closed before another one is opened', async () => {
  const { listening, sent } = listen({ tools: { listChanged: true } })
  listening.start()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent.length).toBeGreaterThan(2)
  expect(openAmong(sent).length).toBeLessThan(2)
  listening.close()
  expect(openAmong(sent)).toEqual([])
})

test('two resources that are subscribed to at the same time are both honoured, whichever is acknowledged first', async () => {
  const { listening, sent, acknowledge } = listen()
  const both = Promise.all([listening.add('test://one'), listening.add('test://other')])
  await vi.advanceTimersByTimeAsync(0)
  // The newest first: each is an HTTP stream of its own.
  acknowledge(sent.length - 1)
  await vi.advanceTimersByTimeAsync(0)
  acknowledge(sent.length - 1)
  expect(await both).toEqual([true, true])
  expect(openAmong(sent).map(({ uris }) => uris)).toEqual([['test://one', 'test://other']])
  listening.close()
})

/** Answers a subscription with an error, as a server that has too many of them. */
function refuse({ listener }: Sent): void {
  const error = { code: -32_000, message: 'too many' }
  listener.answered({ kind: 'error', dialect: '2.0', id: requestId(1), error })
}

test('a subscription that is refused leaves the one that it would have replaced', async () => {
  const { listening, sent, subscribe } = listen()
  await subscribe('test://one', 0)
  const second = listening.add('test://other')
  await vi.advanceTimersByTimeAsync(0)
  const [, refused] = sent
  if (refused !== undefined) refuse(refused)
  expect(await second).toBe(false)
  expect(sent[0]?.cancel).not.toHaveBeenCalled()
  // It needs no other one, unless it is lost itself.
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(2)
  sent[0]?.listener.failed({ situation: 'backend_exited' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent.slice(2).map(({ uris }) => uris)).toContainEqual(['test://one'])
  listening.close()
})

test('a server that ends each subscription after its acknowledgement is asked less and less often, until one lasts', async () => {
  const { listening, sent, acknowledge, notified, haveChanged } = listen({ tools: { listChanged: true } })
  const end = (): void =>
    sent.at(-1)?.listener.answered({ kind: 'result', dialect: '2.0', id: requestId(1), result: payloadOf({}) })
  listening.start()
  for (let second = 0; second < 120; second += 1) {
    await vi.advanceTimersByTimeAsync(500)
    acknowledge(sent.length - 1)
    await vi.advanceTimersByTimeAsync(500)
    end()
  }
  // With a pause of half a second, a hundred; each makes the lists be read again.
  expect(sent.length).toBeLessThan(12)
  // Nothing has changed meanwhile, so clients need not read the lists.
  expect(haveChanged).toHaveBeenCalledWith(['tools'])
  expect(notified).toEqual([])
  haveChanged.mockResolvedValueOnce(true)
  const { length: before } = sent
  while (sent.length === before) await vi.advanceTimersByTimeAsync(500)
  acknowledge(before)
  await vi.advanceTimersByTimeAsync(60_000)
  const { length } = sent
  end()
  await vi.advanceTimersByTimeAsync(600)
  expect(sent).toHaveLength(length + 1)
  expect(notified).toEqual([{ method: 'notifications/tools/list_changed', params: undefined }])
  listening.close()
})

test('nothing stays open when the link closes while a subscription is being replaced', async () => {
  const { listening, sent, subscribe } = listen()
  await subscribe('test://one', 0)
  const second = listening.add('test://other')
  await vi.advanceTimersByTimeAsync(0)
  listening.close()
  expect(await second).toBe(false)
  expect(sent).toHaveLength(2)
  for (const { cancel } of sent) expect(cancel).toHaveBeenCalled()
})

test('what was missed is announced when another resource opens a lost subscription again', async () => {
  const { listening, sent, subscribe, notified, haveChanged } = listen({ tools: { listChanged: true } })
  haveChanged.mockResolvedValue(true)
  await subscribe('test://one', 0)
  sent[0]?.listener.failed({ situation: 'backend_exited' })
  await subscribe('test://other', 1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(2)
  expect(notified.map(({ method, params }) => [method, params?.value()])).toEqual([
    ['notifications/resources/updated', { uri: 'test://one' }],
    ['notifications/resources/updated', { uri: 'test://other' }],
    ['notifications/tools/list_changed', undefined],
  ])
  listening.close()
})

test('a server that ends a subscription because another one takes its place is not asked for a third', async () => {
  const { listening, sent, acknowledge, subscribe } = listen()
  await subscribe('test://one', 0)
  const second = listening.add('test://other')
  await vi.advanceTimersByTimeAsync(0)
  sent[0]?.listener.answered({ kind: 'result', dialect: '2.0', id: requestId(1), result: payloadOf({}) })
  acknowledge(1)
  expect(await second).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(2)
  listening.close()
})

test('no subscription is kept, or opened again, when no resource is wanted any more', async () => {
  const { listening, sent, subscribe } = listen()
  const refused = listening.add('test://one')
  await vi.advanceTimersByTimeAsync(0)
  if (sent[0] !== undefined) refuse(sent[0])
  expect(await refused).toBe(false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(1)
  await subscribe('test://one', 1)
  await listening.remove('test://one')
  expect(sent[1]?.cancel).toHaveBeenCalled()
  expect(sent).toHaveLength(2)
})

test('a resource that two want at the same time is refused to both, if the server refuses it', async () => {
  const { listening, sent } = listen()
  const both = Promise.all([listening.add('test://one'), listening.add('test://one')])
  await vi.advanceTimersByTimeAsync(0)
  if (sent[0] !== undefined) refuse(sent[0])
  expect(await both).toEqual([false, false])
  listening.close()
})
