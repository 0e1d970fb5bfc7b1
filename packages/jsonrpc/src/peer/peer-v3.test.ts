import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSide, piece, receive, result } from '../../test/fixtures/v3-sides.ts'
import type { AckMessage, ChunkMessage, Message, Response } from '../message/message.ts'
import { payloadOf } from '../payload/payload.ts'
import { createPeer } from './create-peer.ts'
import type { RequestId } from '../message/request-id.ts'
import type { Closed } from './response-listener.ts'

describe('a request', () => {
  test('has its version and options, and its listener receives acks, pieces and the end', () => {
    const { peer, sent } = createSide()
    const received: unknown[] = []
    const id = peer.call(
      'm',
      undefined,
      {
        settled: (end: Response | Closed) => void received.push(end.kind),
        acknowledged: ({ info }: AckMessage) => void received.push(info?.value()),
        chunk: ({ data }: ChunkMessage) => void received.push(data.value()),
      },
      payloadOf({ retry: 2 }),
    )
    expect(sent).toEqual(['{"jsonrpc":"3.0","id":1,"method":"m","options":{"retry":2}}'])
    void receive(peer, '{"jsonrpc":"3.0","ack":{},"id":1.0}')
    void receive(peer, '{"jsonrpc":"3.0","ack":{"progress":1},"id":1}')
    void peer.receive(piece(id, 7))
    void peer.receive(result(id))
    expect(received).toEqual([undefined, { progress: 1 }, 7, 'result'])
    // An ack is never answered.
    expect(sent).toHaveLength(1)
    void receive(peer, '{"jsonrpc":"3.0","ack":{},"id":1}')
    void peer.receive(piece(id, 8))
    expect(received).toHaveLength(4)
    expect(peer.dropped).toBe(2)
  })

  test('does not need a listener for acks and pieces', async () => {
    const { peer } = createSide()
    const response = peer.request('m', undefined)
    void receive(peer, '{"jsonrpc":"3.0","ack":{},"id":1}')
    void peer.receive(piece('1', 7))
    void peer.receive(result('1'))
    expect(await response).toMatchObject({ kind: 'result' })
    const settled = vi.fn<() => void>()
    const id = peer.call('m', undefined, { settled })
    void receive(peer, `{"jsonrpc":"3.0","ack":{},"id":${id}}`)
    void peer.receive(piece(id, 7))
    expect([settled.mock.calls.length, peer.dropped]).toEqual([0, 0])
  })

  test('of JSON-RPC 2.0 has no options', () => {
    const sent: Message[] = []
    const handler = { request: () => undefined, notification: () => undefined }
    const peer = createPeer({ handler, send: (message) => void sent.push(message) })
    void peer.request('m', undefined, { options: payloadOf({ a: 1 }) })
    void peer.notify('n', undefined, payloadOf({ a: 1 }))
    expect(sent).toEqual([
      { kind: 'request', dialect: '2.0', id: '1', method: 'm', params: undefined },
      { kind: 'notification', dialect: '2.0', method: 'n', params: undefined },
    ])
  })
})

describe('a time limit', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('ends the wait after this time of silence, not before', async () => {
    const { peer } = createSide()
    const acknowledged = vi.fn<() => void>()
    const response = peer.request('m', undefined, { timeoutMs: 100, acknowledged })
    const failed = response.then(undefined, (error: unknown) => error)
    for (let time = 0; time < 3; time++) {
      vi.advanceTimersByTime(90)
      void receive(peer, '{"jsonrpc":"3.0","ack":{},"id":1}')
    }
    vi.advanceTimersByTime(90)
    void peer.receive(piece('1', 1))
    vi.advanceTimersByTime(90)
    expect(acknowledged).toHaveBeenCalledTimes(3)
    expect(peer.pending).toBe(1)
    vi.advanceTimersByTime(20)
    expect(peer.pending).toBe(0)
    expect(await failed).toMatchObject({
      name: 'TimeoutError',
      message: 'Expected a response, an ack or a piece of a stream within 100 ms, got none',
    })
  })

  test('leaves no timer', async () => {
    const { peer } = createSide()
    const answered = peer.request('m', undefined, { timeoutMs: 100 })
    void peer.receive(result('1'))
    await answered
    const closed = peer.request('m', undefined, { timeoutMs: 100 })
    const stream = peer.stream('m', undefined, { timeoutMs: 100 })
    peer.close(new Error('gone'))
    await expect(closed).rejects.toThrow('gone')
    await expect(stream.next()).rejects.toThrow('gone')
    await expect(peer.request('m', undefined, { timeoutMs: 100 })).rejects.toThrow('gone')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('of a stream applies to the other side, not to a slow reader', async () => {
    const { peer } = createSide()
    const stream = peer.stream('m', undefined, { timeoutMs: 100 })
    void peer.receive(piece('1', 1))
    vi.advanceTimersByTime(500)
    expect(await stream.next()).toMatchObject({ done: false })
    expect(peer.pending).toBe(1)
    const next = stream.next()
    vi.advanceTimersByTime(110)
    await expect(next).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(peer.pending).toBe(0)
  })
})

describe('a request of the other side', () => {
  test('is answered in its own dialect and form', () => {
    const { peer, sent, requests } = createSide()
    for (const text of [
      '{"jsonrpc":"2.0","id":1,"method":"m","options":{"stream":true}}',
      '{"jsonrpc":"3.0","id":null,"method":"m"}',
      '{"jsonrpc":"3.0","id":"s","method":"m","options":{"stream":true}}',
    ]) {
      void receive(peer, text)
    }
    for (const request of requests) {
      void peer.acknowledge(request, payloadOf({ progress: 1 }))
      void peer.push(request, payloadOf(0))
      void peer.respond(request, { result: payloadOf(1) })
    }
    expect(sent).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":1}',
      '{"jsonrpc":"3.0","id":null,"ack":{"progress":1}}',
      '{"jsonrpc":"3.0","id":null,"result":1}',
      '{"jsonrpc":"3.0","ack":{"id":"s","progress":1}}',
      '{"jsonrpc":"3.0","stream":{"id":"s","data":0}}',
      '{"jsonrpc":"3.0","stream":{"id":"s"},"result":1}',
    ])
  })

  test('is answered in the dialect of the peer when only its id is given', () => {
    const { peer, sent } = createSide()
    void peer.respond('7' as RequestId, { error: { code: 1, message: 'm' } })
    expect(sent).toEqual(['{"jsonrpc":"3.0","id":7,"error":{"code":1,"title":"m","message":"m"}}'])
  })

  test('to abort has no effect without a handler, or after the close', () => {
    const handler = { request: () => undefined, notification: () => undefined }
    const peer = createPeer({ handler, send: () => undefined })
    expect(receive(peer, '{"jsonrpc":"3.0","options":{"stream":2,"abort":true}}')).toBeUndefined()
    const side = createSide()
    side.peer.close(new Error('gone'))
    void receive(side.peer, '{"jsonrpc":"3.0","options":{"stream":2,"abort":true}}')
    expect(side.aborts).toEqual([])
  })
})
