import { describe, expect, test, vi } from 'vitest'
import { createPair, createSide, first, piece, receive, result, type Side } from '../../test/fixtures/v3-sides.ts'
import { payloadOf, printPayload } from '../payload/payload.ts'
import { createPeer } from './create-peer.ts'
import { type Peer } from './peer.ts'

function unsent(): never {
  throw new Error('not sent')
}

describe('a stream', () => {
  test.each([
    ['throws', (): never => unsent()],
    ['rejects', (): Promise<void> => Promise.reject(new Error('not sent'))],
  ])('ends in time, also when the cancellation %s', async (_how, fails) => {
    let sent = 0
    const handler = { request() {}, notification() {} }
    const peer = createPeer({ dialect: '3.0', handler, send: () => ((sent += 1) === 1 ? undefined : fails()) })
    const stream = peer.stream('m', undefined, { timeoutMs: 10 })
    await expect(stream.next()).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(stream.response).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(sent).toBe(2)
  })

  test('returns its pieces in order, and its end as the return value', async () => {
    const { near, far } = createPair()
    const stream = near.peer.stream('listen.logs', payloadOf({}))
    const request = first(far.requests)
    expect(near.sent).toEqual(['{"jsonrpc":"3.0","id":1,"method":"listen.logs","params":{},"options":{"stream":true}}'])
    void far.peer.acknowledge(request)
    for (const entry of ['Log entry 1', 'Log entry 2']) void far.peer.push(request, payloadOf(entry))
    void far.peer.respond(request, { result: payloadOf('End of logs') })
    expect(far.sent).toEqual([
      '{"jsonrpc":"3.0","ack":{"id":1}}',
      '{"jsonrpc":"3.0","stream":{"id":1,"data":"Log entry 1"}}',
      '{"jsonrpc":"3.0","stream":{"id":1,"data":"Log entry 2"}}',
      '{"jsonrpc":"3.0","stream":{"id":1},"result":"End of logs"}',
    ])
    const entries: unknown[] = []
    for await (const entry of stream) entries.push(entry.value())
    expect(entries).toEqual(['Log entry 1', 'Log entry 2'])
    expect(await stream.response).toMatchObject({ kind: 'result', stream: true })
    expect(near.peer.pending).toBe(0)
    // The stream ended normally, so no cancellation is sent.
    expect(near.sent).toHaveLength(1)
  })

  test('its return value is the response or the error, once', async () => {
    const { near, far } = createPair()
    const stream = near.peer.stream('m', undefined)
    const early = [stream.next(), stream.next(), stream.next()]
    void far.peer.push(first(far.requests), payloadOf(1))
    void far.peer.respond(first(far.requests), { error: { code: -32800, message: 'no' } })
    expect(await Promise.all(early)).toMatchObject([
      { done: false },
      { done: true, value: { kind: 'error', error: { code: -32800, title: 'no' } } },
      { done: true, value: undefined },
    ])
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    expect(await stream.response).toMatchObject({ kind: 'error' })
  })

  test('of a method that does not stream has only its response', async () => {
    const { peer } = createSide()
    const stream = peer.stream('m', undefined)
    void peer.receive(result('1'))
    expect(await stream.next()).toMatchObject({ done: true, value: { kind: 'result' } })
  })

  test.each([
    [{ retry: 1 }, { retry: 1, stream: true }],
    [{ stream: { encrypt: true } }, { stream: { encrypt: true } }],
    [{ stream: false }, { stream: true }],
  ])('with options %j asks with %j', (given, asked) => {
    const { near, far } = createPair()
    void near.peer.stream('m', undefined, { options: payloadOf(given) })
    expect(first(far.requests).options?.value()).toEqual(asked)
  })

  test.each([
    [false, '{"jsonrpc":"3.0","method":"request.cancel","params":{"stream":true,"id":1}}'],
    [true, '{"jsonrpc":"3.0","options":{"stream":1,"abort":true}}'],
  ])('that is left notifies the other side, once (by the extension: %s)', async (abort, text) => {
    const { near, far } = createPair()
    const stream = near.peer.stream('m', undefined, { abort })
    const request = first(far.requests)
    for (const data of [1, 2, 3]) void far.peer.push(request, payloadOf(data))
    for await (const data of stream) if (data.value() === 2) break
    expect(near.sent.slice(1)).toEqual([text])
    expect(abort ? far.aborts : far.notifications).toHaveLength(1)
    await stream.return()
    await expect(stream.response).rejects.toMatchObject({ name: 'AbortError' })
    expect(near.sent).toHaveLength(2)
    expect(await stream.next()).toEqual({ done: true, value: undefined })
    void far.peer.push(request, payloadOf(4))
    void far.peer.respond(request, { error: { code: -32800, message: 'Request cancelled by client.' } })
    expect([near.peer.pending, near.peer.dropped]).toEqual([0, 2])
  })

  test('whose signal aborts fails with its reason, immediately and for all readers', async () => {
    const { near, far } = createPair()
    const controller = new AbortController()
    const stream = near.peer.stream('m', undefined, { signal: controller.signal })
    void far.peer.push(first(far.requests), payloadOf(1))
    controller.abort(new Error('enough'))
    await expect(stream.next()).rejects.toThrow('enough')
    await expect(stream.response).rejects.toThrow('enough')
    expect(await stream.next()).toMatchObject({ done: true })
    expect(far.notifications).toMatchObject([{ method: 'request.cancel' }])
    expect(() => near.peer.stream('m', undefined, { signal: controller.signal })).toThrow('enough')
    expect(far.requests).toHaveLength(1)
  })

  test('whose signal aborts while its request is sent is left immediately', async () => {
    const controller = new AbortController()
    const { peer, sent } = createSide(() => controller.abort(new Error('enough')))
    const { signal } = controller
    await expect(peer.stream('m', undefined, { signal }).next()).rejects.toThrow('enough')
    expect(sent).toHaveLength(2)
    const other = new AbortController()
    const side = createSide(() => other.abort(new Error('enough')))
    await expect(side.peer.request('m', undefined, { signal: other.signal })).rejects.toThrow('enough')
    expect([peer.pending, side.peer.pending]).toEqual([0, 0])
  })

  test('removes its signal listener at its end', async () => {
    const { peer } = createSide()
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const stream = peer.stream('m', undefined, { signal })
    void peer.receive(result('1'))
    await stream.response
    expect(added).toHaveBeenCalledTimes(1)
    expect(removed.mock.calls).toEqual(added.mock.calls)
  })

  test('of a closed connection fails after its received pieces', async () => {
    const { peer } = createSide()
    const stream = peer.stream('m', undefined)
    void peer.receive(piece('1', 1))
    peer.close(new Error('gone'))
    expect(await stream.next()).toMatchObject({ done: false })
    await expect(stream.next()).rejects.toThrow('gone')
    await expect(stream.response).rejects.toThrow('gone')
  })

  test('that is answered before it is returned is complete', async () => {
    const side: Side = createSide(() => {
      void side.peer.receive(piece('1', 1))
      void side.peer.receive(result('1'))
    })
    const stream = side.peer.stream('m', undefined)
    expect(await stream.next()).toMatchObject({ done: false })
    expect(await stream.next()).toMatchObject({ done: true, value: { kind: 'result' } })
  })
})

describe('a slow reader', () => {
  test('slows the connection down once half of the buffer is full', async () => {
    const { peer } = createSide()
    const stream = peer.stream('m', undefined, { buffer: 4 })
    expect(peer.receive(piece('1', 1))).toBeUndefined()
    const room = peer.receive(piece('1', 2))
    expect(room).toBeInstanceOf(Promise)
    expect(peer.receive(piece('1', 3))).toBe(room)
    let resumed = false
    void room?.then(() => (resumed = true))
    await stream.next()
    expect(resumed).toBe(false)
    await stream.next()
    await room
    expect(resumed).toBe(true)
  })

  test.each([
    ['the end', (peer: Peer) => void peer.receive(result('1'))],
    ['the close', (peer: Peer) => peer.close(new Error('gone'))],
  ])('does not block the connection after %s', async (_name, end) => {
    const { peer } = createSide()
    const stream = peer.stream('m', undefined, { buffer: 2 })
    const room = peer.receive(piece('1', 1))
    end(peer)
    await room
    expect(await stream.next()).toMatchObject({ done: false })
  })

  test('loses nothing silently: an overflow ends the stream, and the other side is notified', async () => {
    const { peer, sent } = createSide()
    const stream = peer.stream('m', undefined, { buffer: 2 })
    for (const data of [1, 2, 3, 4]) void peer.receive(piece('1', data))
    expect(sent).toHaveLength(2)
    expect(await stream.next()).toMatchObject({ done: false })
    expect(await stream.next()).toMatchObject({ done: false })
    await expect(stream.next()).rejects.toThrow('Expected the stream to be read, got 2 unread pieces')
    await expect(stream.response).rejects.toThrow(RangeError)
    expect(peer.pending).toBe(0)
  })

  test('gets an error even when all pieces arrive before the stream is returned', async () => {
    const side: Side = createSide(() => {
      if (side.sent.length > 1) return
      for (const data of [1, 2, 3]) void side.peer.receive(piece('1', data))
    })
    const stream = side.peer.stream('m', undefined, { buffer: 2 })
    expect(side.sent).toHaveLength(2)
    await expect(stream.response).rejects.toThrow(RangeError)
    expect(side.peer.pending).toBe(0)
  })

  test('receives everything in order when the connection waits for it', async () => {
    const { peer } = createSide()
    const stream = peer.stream('m', undefined, { buffer: 8 })
    const count = 10_000
    const produced = (async () => {
      for (let data = 0; data < count; data++) await peer.receive(piece('1', data))
      await peer.receive(result('1'))
    })()
    let expected = 0
    for await (const data of stream) expect(data.value()).toBe(expected++)
    await produced
    expect(expected).toBe(count)
  })
})

describe('an ack that names another stream', () => {
  const ack = '{"jsonrpc":"3.0","ack":{"id":1,"stream":{"id":"fxr2t6","pubServer":{"conn":"12.84.22.32:3564"}}}}'

  test('is followed: pieces and the end are received under the new id', async () => {
    const { peer } = createSide()
    const places: unknown[] = []
    const stream = peer.stream('m', undefined, { acknowledged: ({ info }) => places.push(info && printPayload(info)) })
    void receive(peer, ack)
    void receive(peer, '{"jsonrpc":"3.0","stream":{"id":"fxr2t6"},"data":"Log entry 1"}')
    void receive(peer, '{"jsonrpc":"3.0","stream":{"id":"other"},"data":"Log entry 1"}')
    void receive(peer, '{"jsonrpc":"3.0","stream":{"id":"fxr2t6"},"result":"end"}')
    expect(await stream.next()).toMatchObject({ done: false })
    expect(await stream.next()).toMatchObject({ done: true, value: { kind: 'result' } })
    expect(places).toEqual(['{"stream":{"id":"fxr2t6","pubServer":{"conn":"12.84.22.32:3564"}}}'])
    expect(peer.dropped).toBe(1)
    // The name is removed with its request.
    void receive(peer, '{"jsonrpc":"3.0","stream":{"id":"fxr2t6"},"data":"late"}')
    expect(peer.dropped).toBe(2)
  })

  test('does not take the id of another request', async () => {
    const { peer } = createSide()
    const one = peer.stream('m', undefined)
    const other = peer.stream('m', undefined)
    void receive(peer, '{"jsonrpc":"3.0","ack":{"id":1,"stream":{"id":"name"}}}')
    void receive(peer, '{"jsonrpc":"3.0","ack":{"id":2,"stream":{"id":"name"}}}')
    void receive(peer, '{"jsonrpc":"3.0","ack":{"id":2,"stream":{"id":1}}}')
    void receive(peer, '{"jsonrpc":"3.0","stream":{"id":"name","data":"for one"}}')
    void receive(peer, '{"jsonrpc":"3.0","stream":{"id":1,"data":"for one, too"}}')
    void receive(peer, '{"jsonrpc":"3.0","stream":{"id":2},"result":"end"}')
    expect(await other.next()).toMatchObject({ done: true })
    expect(await one.next()).toMatchObject({ done: false })
    expect(await one.next()).toMatchObject({ done: false })
  })

  test.each(['{"stream":1}', '{"stream":{"id":true}}', '{"stream":{}}', '{"stream":null}', '{"other":1}'])(
    'is an ordinary ack when it has %s',
    (info) => {
      const { peer } = createSide()
      const stream = peer.stream('m', undefined)
      void receive(peer, `{"jsonrpc":"3.0","ack":{"id":1,${info.slice(1)}}`)
      void peer.receive(result('1'))
      return expect(stream.response).resolves.toMatchObject({ kind: 'result' })
    },
  )
})
