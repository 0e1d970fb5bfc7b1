import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { Message, Notification, Request, Response } from '../message/message.ts'
import { parseFrame } from '../parse/parse-frame.ts'
import { payloadOf, printPayload } from '../payload/payload.ts'
import { createPeer } from './create-peer.ts'
import type { Peer } from './peer.ts'
import { printMessage } from '../print/print-message.ts'
import { requestId, type RequestId } from '../message/request-id.ts'
import type { Closed } from './response-listener.ts'

interface Side {
  readonly peer: Peer
  readonly sent: Message[]
  readonly requests: Request[]
  readonly notifications: Notification[]
}

function createSide(deliver?: (message: Message) => void): Side {
  const side = { sent: [] as Message[], requests: [] as Request[], notifications: [] as Notification[] }
  const peer = createPeer({
    handler: {
      request: (request) => side.requests.push(request),
      notification: (notification) => side.notifications.push(notification),
    },
    send(message) {
      side.sent.push(message)
      deliver?.(message)
      return undefined
    },
  })
  return { peer, ...side }
}

/** Two peers, connected by printing and parsing. */
function createPair(): { near: Side; far: Side } {
  const over = (message: Message, to: () => Side): void => {
    const frame = parseFrame(printMessage(message, { nullId: true }))
    if (frame.kind === 'message') void to().peer.receive(frame.message)
  }
  const near: Side = createSide((message) => over(message, () => far))
  const far: Side = createSide((message) => over(message, () => near))
  return { near, far }
}

function listener(): { ends: (Response | Closed)[]; settled(end: Response | Closed): void } {
  const ends: (Response | Closed)[] = []
  return { ends, settled: (end) => void ends.push(end) }
}

const result = (id: RequestId | string): Response => ({
  kind: 'result',
  dialect: '2.0',
  id: id as RequestId,
  result: payloadOf(id),
})

describe('own requests', () => {
  test('get their own responses, in any order', () => {
    const { near, far } = createPair()
    const waiting = ['a', 'b', 'c'].map((method) => {
      const waits = listener()
      return { waits, id: near.peer.call(method, payloadOf([method]), waits) }
    })
    expect(near.peer.pending).toBe(3)
    for (const { id, params } of far.requests.toReversed())
      void far.peer.respond(id, { result: params ?? payloadOf(null) })
    for (const [index, { waits, id }] of waiting.entries()) {
      expect(waits.ends).toMatchObject([{ kind: 'result', id }])
      const [end] = waits.ends
      expect(end?.kind === 'result' && printPayload(end.result)).toBe(`["${'abc'[index]}"]`)
    }
    expect(near.peer.pending).toBe(0)
    expect(near.peer.dropped).toBe(0)
  })

  test('have rising ids, and a failed one gives its error', async () => {
    const { near, far } = createPair()
    const first = near.peer.request('a', undefined)
    const second = near.peer.request('b', payloadOf({}))
    expect(far.requests).toMatchObject([
      { id: '1', method: 'a', params: undefined },
      { id: '2', method: 'b' },
    ])
    void far.peer.respond('2' as RequestId, { error: { code: -1, message: 'no' } })
    void far.peer.respond('1' as RequestId, { result: payloadOf(true) })
    expect(await first).toMatchObject({ kind: 'result', id: '1' })
    expect(await second).toMatchObject({ kind: 'error', id: '2', error: { code: -1, message: 'no' } })
  })

  test('may be answered before call returns', async () => {
    const side: Side = createSide((message) => message.kind === 'request' && void side.peer.receive(result(message.id)))
    const waits = listener()
    const id = side.peer.call('m', undefined, waits)
    expect(waits.ends).toMatchObject([{ kind: 'result', id }])
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    expect(await side.peer.request('m', undefined, { signal })).toMatchObject({ kind: 'result' })
    expect(added).not.toHaveBeenCalled()
    expect(side.peer.pending).toBe(0)
  })

  test.each(['1.0', '1e0', '10e-1', '"1"'])('are found when the peer spells 1 as %s', (spelled) => {
    const { peer } = createSide()
    const waits = listener()
    peer.call('m', undefined, waits)
    void peer.receive(result(spelled))
    expect(waits.ends).toHaveLength(1)
  })

  test('are settled once: later responses are dropped and counted', () => {
    const { peer } = createSide()
    const waits = listener()
    const id = peer.call('m', undefined, waits)
    for (const response of [result(id), result(id), result('99'), result('"1"'), result('null')])
      void peer.receive(response)
    void peer.receive({ kind: 'error', dialect: '2.0', id: undefined, error: { code: -32700, message: 'Parse error' } })
    expect(waits.ends).toHaveLength(1)
    expect(peer.dropped).toBe(5)
  })

  test('that are forgotten receive nothing more', () => {
    const { peer } = createSide()
    const waits = listener()
    const id = peer.call('m', undefined, waits)
    expect(peer.forget(id)).toBe(true)
    expect(peer.forget(id)).toBe(false)
    void peer.receive(result(id))
    peer.close(new Error('gone'))
    expect(waits.ends).toEqual([])
    expect(peer.dropped).toBe(1)
  })
})

describe('a signal', () => {
  test('ends the wait with its reason, and the late response is dropped', async () => {
    const { near, far } = createPair()
    const controller = new AbortController()
    const response = near.peer.request('m', undefined, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(response).rejects.toThrow('enough')
    expect(near.peer.pending).toBe(0)
    void far.peer.respond('1' as RequestId, { result: payloadOf(1) })
    expect(near.peer.dropped).toBe(1)
  })

  test('that has already aborted prevents sending', async () => {
    const { peer, sent } = createSide()
    await expect(peer.request('m', undefined, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    )
    expect(sent).toEqual([])
  })

  test('has no listener after the response', async () => {
    const { near, far } = createPair()
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const response = near.peer.request('m', undefined, { signal })
    void far.peer.respond('1' as RequestId, { result: payloadOf(1) })
    await response
    expect(added).toHaveBeenCalledTimes(1)
    expect(removed.mock.calls).toEqual(added.mock.calls)
  })
})

describe('a message of the other side', () => {
  test('goes to the handler, and is answered by its id', () => {
    const { near, far } = createPair()
    void far.peer.notify('n', payloadOf([1]))
    void far.peer.notify('n', undefined)
    void near.peer.receive({ kind: 'request', dialect: '2.0', id: requestId(''), method: 'r', params: undefined })
    expect(near.notifications).toMatchObject([{ method: 'n' }, { method: 'n', params: undefined }])
    expect(near.requests).toMatchObject([{ id: '""', method: 'r' }])
    void near.peer.respond(requestId(''), { result: payloadOf(0) })
    expect(near.sent).toMatchObject([{ kind: 'result', id: '""' }])
  })

  test('a slow reader slows down notifications and responses', () => {
    const slow = Promise.resolve()
    const handler = { request: () => undefined, notification: () => undefined }
    const peer = createPeer({ handler, send: () => slow })
    expect(peer.notify('n', undefined)).toBe(slow)
    expect(peer.respond(requestId(1), { result: payloadOf(1) })).toBe(slow)
  })
})

describe('close', () => {
  test('fails all pending requests immediately with its error', async () => {
    const { peer } = createSide()
    const error = new Error('the child exited')
    const waits = listener()
    peer.call('a', undefined, waits)
    peer.call('b', undefined, waits)
    const promised = peer.request('c', undefined)
    peer.close(error)
    peer.close(new Error('again'))
    expect(peer.pending).toBe(0)
    peer.call('late', undefined, waits)
    expect(waits.ends).toEqual([
      { kind: 'closed', error },
      { kind: 'closed', error },
      { kind: 'closed', error },
    ])
    await expect(promised).rejects.toBe(error)
  })

  test('neither sends nor receives any more', async () => {
    const { peer, sent, requests, notifications } = createSide()
    const waits = listener()
    peer.close(new Error('gone'))
    peer.call('m', undefined, waits)
    expect(waits.ends).toMatchObject([{ kind: 'closed' }])
    await expect(peer.request('m', undefined)).rejects.toThrow('gone')
    expect(peer.notify('n', undefined)).toBeUndefined()
    expect(peer.respond(requestId(1), { result: payloadOf(1) })).toBeUndefined()
    void peer.receive({ kind: 'request', dialect: '2.0', id: requestId(1), method: 'r', params: undefined })
    void peer.receive({ kind: 'notification', dialect: '2.0', method: 'n', params: undefined })
    void peer.receive(result('1'))
    expect([sent, requests, notifications]).toEqual([[], [], []])
    expect(peer.pending).toBe(0)
  })

  test('allows a listener to call again, which fails too', () => {
    const { peer } = createSide()
    const again = listener()
    peer.call('a', undefined, { settled: () => void peer.call('b', undefined, again) })
    peer.close(new Error('gone'))
    expect(again.ends).toMatchObject([{ kind: 'closed' }])
    expect(peer.pending).toBe(0)
  })
})

test('for any events, every request that is not forgotten is settled exactly once', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'call' as const }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('response' as const), id: fc.integer({ min: 1, max: 12 }) }),
    },
    fc.record({ kind: fc.constant('forget' as const), id: fc.integer({ min: 1, max: 12 }) }),
    fc.constant({ kind: 'close' as const }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { peer } = createSide()
      const calls: { id: RequestId; ends: unknown[]; forgotten: boolean }[] = []
      const act = {
        call() {
          const waits = listener()
          calls.push({ id: peer.call('m', undefined, waits), ends: waits.ends, forgotten: false })
        },
        response: (id: number) => void peer.receive(result(requestId(id))),
        forget(id: number) {
          const call = calls[id - 1]
          const forgotten = peer.forget(requestId(id))
          calls.splice(
            0,
            calls.length,
            ...calls.map((each) => (each === call ? { ...each, forgotten: each.forgotten || forgotten } : each)),
          )
        },
        close: () => peer.close(new Error('closed')),
      }
      for (const each of steps) act[each.kind]('id' in each ? each.id : 0)
      peer.close(new Error('closed'))
      for (const { ends, forgotten } of calls) expect(ends).toHaveLength(forgotten ? 0 : 1)
      expect(peer.pending).toBe(0)
      expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    }),
  )
})

describe('a request that cannot be sent', () => {
  const failing = (dialect: '2.0' | '3.0', send: () => Promise<void> | undefined): Peer =>
    createPeer({ dialect, send, handler: { request() {}, notification() {} } })
  const thrown = (): never => {
    throw new Error('no route')
  }
  const rejected = (): Promise<void> => Promise.reject(new Error('broken pipe'))

  test.each([
    ['before anything was written', thrown, -32_040],
    ['while it was written', rejected, -32_041],
  ] as const)('ends with the code of JSON-RPC 3.0: %s', async (_when, send, code) => {
    for (const dialect of ['2.0', '3.0'] as const) {
      const peer = failing(dialect, send)
      const response = await peer.request('m', undefined)
      const title = dialect === '3.0' ? { title: 'Send Failure' } : {}
      expect(response).toEqual({
        kind: 'error',
        dialect,
        id: '1',
        error: { code, ...title, message: expect.stringContaining('request') },
      })
      expect(peer.pending).toBe(0)
    }
  })

  test('ends a stream too', async () => {
    const stream = failing('3.0', thrown).stream('m', undefined)
    expect(await stream.response).toMatchObject({ kind: 'error', error: { code: -32_040 } })
  })
})
