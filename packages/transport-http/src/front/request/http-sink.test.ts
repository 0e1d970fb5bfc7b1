import { eventually } from '@junctor/testkit'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Log, silentLog } from '@junctor/contracts'
import { startFront } from '../../../test/front-fixture.ts'
import type { FixtureGateway, Round } from '../../../test/gateway-fixture.ts'
import { callOf, start, readAll, send } from '../../../test/http-fixture.ts'
import { closed, sendRaw } from '../../../test/raw-fixture.ts'

/** A request that the test answers. */
async function ask(
  gateway: FixtureGateway,
  port: number,
): Promise<{ round: Round; response: Promise<IncomingMessage>; text: Promise<string> }> {
  const response = start(port, { session: gateway.open('2025-11-25'), body: callOf('wait') })
  const text = response.then(readAll)
  return { round: await gateway.round(), response, text }
}

describe('an answer in one piece', () => {
  test('has the status of its frame', async () => {
    const { gateway, port } = await startFront()
    const { round, response, text } = await ask(gateway, port)
    void round.sink.send('{"error":1}', true, undefined, 429)
    expect((await response).statusCode).toBe(429)
    expect(await text).toBe('{"error":1}')
  })

  test.each([
    [200, undefined],
    [429, '1'],
    [503, '1'],
  ])('with status %i has a Retry-After: %s', async (status, seconds) => {
    const { gateway, port } = await startFront()
    const { round, response, text } = await ask(gateway, port)
    void round.sink.send('{}', true, undefined, status)
    expect((await response).headers['retry-after']).toBe(seconds)
    await text
  })

  test('without a text is an empty 202', async () => {
    const { gateway, port } = await startFront()
    const { round, response, text } = await ask(gateway, port)
    void round.sink.send('', true)
    expect((await response).statusCode).toBe(202)
    expect(await text).toBe('')
  })

  test('is the end: nothing after it is sent, and the owner is not called again', async () => {
    const { gateway, port } = await startFront()
    const { round, text } = await ask(gateway, port)
    void round.sink.send('{"first":1}', true)
    expect(round.sink.send('{"second":2}', true)).toBeUndefined()
    round.sink.open('x:0')
    expect(await text).toBe('{"first":1}')
    expect(round.ownerCalls).toEqual([])
  })
})

describe('a stream', () => {
  test('begins with the headers that keep proxies from delaying it, before any event', async () => {
    const { gateway, port } = await startFront()
    const { round, response, text } = await ask(gateway, port)
    round.sink.open()
    expect((await response).headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect((await response).statusCode).toBe(200)
    void round.sink.send('', true)
    expect(await text).toBe('')
  })

  test('begins with an event id, if it is given one', async () => {
    const { gateway, port } = await startFront()
    const { round, text } = await ask(gateway, port)
    round.sink.open('n-1:0')
    void round.sink.send('{"a":1}', false, 'n-1:1')
    void round.sink.send('{"b":2}', true, 'n-1:2')
    expect(await text).toBe(
      'id: n-1:0\nretry: 1000\ndata: \n\nevent: message\nid: n-1:1\ndata: {"a":1}\n\nevent: message\nid: n-1:2\ndata: {"b":2}\n\n',
    )
  })

  test('has its messages whole for a reader that ends lines at U+2028', async () => {
    const { gateway, port } = await startFront()
    const { round, text } = await ask(gateway, port)
    void round.sink.send('["a\u2028b"]', false)
    void round.sink.send('["c\u2029\u0085"]', true)
    expect(await text).toBe(String.raw`data: ["a\u2028b"]${'\n\n'}data: ["c\u2029\u0085"]${'\n\n'}`)
  })

  test('opens with the first frame that is not the last', async () => {
    const { gateway, port } = await startFront()
    const { round, text } = await ask(gateway, port)
    void round.sink.send('{"a":1}', false)
    void round.sink.send('{"b":2}', true)
    expect(await text).toBe('data: {"a":1}\n\ndata: {"b":2}\n\n')
  })

  test('carries the id of a session that its request opened', async () => {
    const { gateway, port } = await startFront()
    const response = start(port, { body: callOf('wait') })
    const round = await gateway.round()
    const session = gateway.open('2025-11-25')
    round.from.session = session
    round.sink.open()
    expect((await response).headers['mcp-session-id']).toBe(session.id)
    void round.sink.send('', true)
  })

  test('is not subject to the request timeout', async () => {
    // A busy machine sends the request within this time.
    const timeoutMs = 400
    const { gateway, port } = await startFront({
      limits: { headersTimeoutMs: timeoutMs, requestTimeoutMs: timeoutMs, stalledMs: 40 },
    })
    const { round, text } = await ask(gateway, port)
    const asked = performance.now()
    const passed = (ms: number) => eventually(() => expect(performance.now() - asked).toBeGreaterThan(ms))
    await passed(timeoutMs + 100)
    round.sink.open()
    await passed(2 * timeoutMs + 200)
    void round.sink.send('{"still":"here"}', true)
    expect(await text).toBe('data: {"still":"here"}\n\n')
    expect(round.ownerCalls).toEqual(['waiting'])
  })

  test('gets comments while it is silent, and none while events are sent', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { gateway, port } = await startFront({ limits: { streamKeepAliveMs: 1_000 } })
    const { round, text } = await ask(gateway, port)
    round.sink.open()
    for (let event = 0; event < 10; event += 1) {
      void round.sink.send(`${event}`, false)
      vi.advanceTimersByTime(1_000)
    }
    vi.advanceTimersByTime(3_000)
    void round.sink.send('last', true)
    vi.advanceTimersByTime(10_000)
    const events = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((event) => `data: ${event}\n\n`)
    expect(await text).toBe(`${events.join('')}: keep-alive\n\n: keep-alive\n\ndata: last\n\n`)
  })
})

describe('a stream of lines', () => {
  test.each(['application/x-ndjson', 'application/json, application/x-ndjson;q=0.9, text/event-stream;q=0.1'])(
    'is what %s asks for: one message in each line, nothing else, nothing to resume',
    async (accept) => {
      const { gateway, port } = await startFront()
      const response = start(port, { session: gateway.open('2025-11-25'), body: callOf('wait'), headers: { accept } })
      const { sink } = await gateway.round()
      expect(sink.resumable).toBe(false)
      sink.open('n-1:0')
      void sink.send('{"a":1}', false, 'n-1:1')
      void sink.send('{"b":2}', true, 'n-1:2')
      expect((await response).headers).toMatchObject({
        'content-type': 'application/x-ndjson',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      })
      expect(await readAll(await response)).toBe('{"a":1}\n{"b":2}\n')
    },
  )

  test('is not used for an answer in one piece', async () => {
    const { gateway, port } = await startFront()
    const headers = { accept: 'application/x-ndjson' }
    const answer = await send(port, { session: gateway.open('2025-11-25'), body: callOf('echo', { a: 1 }), headers })
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
  })

  test('gets empty lines while it is silent', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { gateway, port } = await startFront({ limits: { streamKeepAliveMs: 1_000 } })
    const headers = { accept: 'application/x-ndjson' }
    const response = start(port, { session: gateway.open('2025-11-25'), body: callOf('wait'), headers })
    const { sink } = await gateway.round()
    sink.open()
    vi.advanceTimersByTime(3_000)
    void sink.send('{}', true)
    expect(await readAll(await response)).toBe('\n\n{}\n')
  })
})

describe('the owner', () => {
  test('is notified once when nothing was sent for a while', async () => {
    const { gateway, port } = await startFront()
    const { round, text } = await ask(gateway, port)
    const asked = performance.now()
    await eventually(() => expect(round.ownerCalls.length > 0).toBe(true))
    expect(round.ownerCalls).toEqual(['waiting'])
    expect(performance.now() - asked).toBeGreaterThan(40)
    void round.sink.send('{}', true)
    await text
    expect(round.ownerCalls).toEqual(['waiting'])
  })

  test.each([['held'], ['streaming']])('is notified once when the client of a %s answer is gone', async (state) => {
    const { gateway, port } = await startFront()
    const socket = await sendRaw(gateway, port)
    const round = await gateway.round()
    const opened = { held: () => {}, streaming: () => round.sink.open('x:0') }
    opened[state as keyof typeof opened]()
    socket.resetAndDestroy()
    await eventually(() => expect(round.ownerCalls.includes('lost')).toBe(true))
    expect(round.sink.send('{}', false)).toBeUndefined()
    expect(round.sink.send('{}', true)).toBeUndefined()
    expect(round.ownerCalls.filter((word) => word === 'lost')).toHaveLength(1)
  })

  test('is notified immediately when the client left while its session was looked up', async () => {
    const { gateway, front, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const found = Promise.withResolvers<typeof session>()
    const asked = Promise.withResolvers<void>()
    gateway.session = () => {
      asked.resolve()
      return found.promise
    }
    const accepted = once(front.app.server, 'connection') as Promise<[Socket]>
    const socket = await sendRaw(gateway, port)
    await asked.promise
    socket.resetAndDestroy()
    const [serverSide] = await accepted
    await closed(serverSide)
    found.resolve(session)
    expect((await gateway.round()).ownerCalls).toEqual(['lost'])
  })

  test('is not notified of a loss after its answer has ended', async () => {
    const { gateway, port } = await startFront()
    const socket = await sendRaw(gateway, port, 2)
    const [first, second] = [await gateway.round(), await gateway.round()]
    const { owner } = first.sink
    first.sink.owner = {
      waiting() {},
      lost() {
        void second.sink.send('{}', true)
        owner?.lost()
      },
    }
    socket.destroy()
    await eventually(() => expect(first.ownerCalls.includes('lost')).toBe(true))
    expect(second.ownerCalls).not.toContain('lost')
  })

  test('is notified for every answer on one connection', async () => {
    const { gateway, port } = await startFront()
    const socket = await sendRaw(gateway, port, 3)
    const rounds = [await gateway.round(), await gateway.round(), await gateway.round()]
    void rounds[0]?.sink.send('{}', true)
    socket.destroy()
    await eventually(() => expect(rounds[2]?.ownerCalls.includes('lost')).toBe(true))
    expect(rounds.map(({ ownerCalls }) => ownerCalls.filter((word) => word === 'lost'))).toEqual([
      [],
      ['lost'],
      ['lost'],
    ])
  })
})

describe('a slow reader', () => {
  test('is waited for, and the stream continues when it reads', async () => {
    const { gateway, port } = await startFront()
    const socket = await sendRaw(gateway, port)
    socket.pause()
    const { sink, ownerCalls } = await gateway.round()
    sink.open()
    const frame = JSON.stringify('x'.repeat(64 * 1024))
    let frames = 0
    let slow: Promise<void> | undefined
    for (; slow === undefined; frames += 1) slow = sink.send(frame, false)
    expect(sink.send(frame, false)).toBe(slow)
    socket.resume()
    await slow
    let received = 0
    socket.on('data', (chunk: Buffer) => (received += chunk.length))
    void sink.send('{}', true)
    await eventually(() => expect(received > 0).toBe(true))
    expect(ownerCalls).toEqual([])
    socket.destroy()
  })

  test('gets a message that is longer than the buffer', async () => {
    const { gateway, port } = await startFront({ limits: { streamBuffer: 1024 } })
    const socket = await sendRaw(gateway, port)
    let received = 0
    socket.on('data', (chunk: Buffer) => (received += chunk.length))
    const { sink, ownerCalls } = await gateway.round()
    const frame = JSON.stringify('x'.repeat(8 * 1024 * 1024))
    await sink.send(frame, false)
    await sink.send(frame, false)
    void sink.send('{}', true)
    await eventually(() => expect(received).toBeGreaterThan(2 * frame.length))
    expect(ownerCalls).toEqual([])
    socket.destroy()
  })

  test('that never reads costs at most the buffer, then loses its connection', async () => {
    const warn = vi.fn<Log['warn']>()
    const streamBuffer = 256 * 1024
    const { gateway, port } = await startFront({ limits: { streamBuffer }, log: { ...silentLog, warn } })
    const socket = await sendRaw(gateway, port)
    socket.pause()
    const { sink, ownerCalls } = await gateway.round()
    sink.open()
    const frame = JSON.stringify('x'.repeat(32 * 1024))
    const promises = new Set<Promise<void>>()
    // Far more than sockets buffer.
    for (let sent = 0; sent < 64 * 1024 * 1024 && warn.mock.calls.length === 0; sent += frame.length) {
      promises.add(sink.send(frame, false) ?? Promise.resolve())
    }
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('slow'), { unread: expect.any(Number) })
    expect(warn.mock.calls[0]?.[1]?.['unread']).toBeLessThan(streamBuffer + 2 * frame.length)
    expect(sink.send(frame, false)).toBeUndefined()
    await Promise.all(promises)
    await eventually(() => expect(ownerCalls.includes('lost')).toBe(true))
    expect(ownerCalls).toEqual(['lost'])
    socket.destroy()
  })

  test('that never reads its answer loses its connection', async () => {
    const { gateway, front, port } = await startFront({ limits: { stalledMs: 100 } })
    const accepted = once(front.app.server, 'connection') as Promise<[Socket]>
    const socket = await sendRaw(gateway, port)
    socket.pause()
    const { sink } = await gateway.round()
    void sink.send(JSON.stringify('x'.repeat(32 * 1024 * 1024)), true)
    const [serverSide] = await accepted
    await closed(serverSide)
    let received = 0
    socket.on('data', (chunk: Buffer) => (received += chunk.length))
    await closed(socket.resume())
    expect(received).toBeLessThan(32 * 1024 * 1024)
  })

  test('of a stream loses its connection when it takes nothing for too long, and gets no comments meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const limits = { stalledMs: 100, streamKeepAliveMs: 10, streamBuffer: 64 * 1024 * 1024 }
    const { gateway, front, port } = await startFront({ limits })
    const accepted = once(front.app.server, 'connection') as Promise<[Socket]>
    const socket = await sendRaw(gateway, port)
    socket.pause()
    const [serverSide] = await accepted
    const { sink, ownerCalls } = await gateway.round()
    sink.open()
    const frame = JSON.stringify('x'.repeat(64 * 1024))
    const [slow] = Array.from({ length: 256 }, () => sink.send(frame, false)).filter((sent) => sent !== undefined)
    const unread = serverSide.writableLength
    vi.advanceTimersByTime(1_000)
    expect(serverSide.writableLength).toBe(unread)
    await slow
    expect(ownerCalls).toEqual(['lost'])
    socket.destroy()
  })

  test('does not slow down others', async () => {
    const { gateway, port } = await startFront()
    const socket = await sendRaw(gateway, port)
    socket.pause()
    const { sink } = await gateway.round()
    sink.open()
    let slow: Promise<void> | undefined
    while (slow === undefined) slow = sink.send(JSON.stringify('x'.repeat(64 * 1024)), false)
    const answer = await send(port, { session: gateway.open('2025-11-25'), body: callOf('echo', { fast: true }) })
    expect(answer.text).toContain('"fast":true')
    socket.destroy()
  })
})
