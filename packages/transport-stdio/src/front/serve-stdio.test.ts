import { PassThrough } from 'node:stream'
import { silentLog } from '@junctor/contracts'
import type { Revision } from '@junctor/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSampleFront, type SampleFront } from '@junctor/testkit'
import type { FrontLimits } from '../options.ts'
import { serveStdio, type StdioServer } from './serve-stdio.ts'

/** A timeout for a busy machine. */
const pollTimeout = { timeout: 5_000, interval: 5 }

let front: SampleFront
let input: PassThrough
let output: PassThrough
let server: StdioServer
let lines: string[]

beforeEach(() => {
  front = createSampleFront()
  input = new PassThrough()
  output = new PassThrough()
  lines = []
})

afterEach(async () => {
  front.release()
  output.resume()
  await server.close()
})

function serve(limits: Partial<FrontLimits> = {}): void {
  server = serveStdio({ front, input, output, log: silentLog, limits: { drainMs: 1_000, ...limits } })
}

/** Collects the output from now on. */
function read(): void {
  let rest = ''
  output.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
}

/** The output that `read` has collected so far. */
function received(): readonly string[] {
  return lines
}

function request(id: number | string, method: string, params?: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
}

function initialize(protocolVersion: Revision = '2025-11-25'): string {
  return request(0, 'initialize', { protocolVersion })
}

function result(id: number | string, method: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { method } })
}

const initialized = [result(0, 'initialize'), '{"jsonrpc":"2.0","method":"opened"}']

/** Opens a session on the connection; the lines of its opening are removed from `lines`. */
async function open(revision?: Revision, limits?: Partial<FrontLimits>): Promise<void> {
  serve(limits)
  read()
  input.write(initialize(revision))
  await expect.poll(received, pollTimeout).toEqual(initialized)
  lines.length = 0
}

function refusal(code: number, id?: number | string | null): unknown {
  return expect.toSatisfy((line: string) => {
    const message = JSON.parse(line) as { id?: unknown; error: { code: number } }
    return message.error.code === code && message.id === id
  })
}

describe('a connection', () => {
  test('answers requests, one line for each, and opens the stream of its session once', async () => {
    await open()
    input.write(request(1, 'echo') + request('1', 'echo') + request('', 'stream'))
    await expect
      .poll(received)
      .toEqual([result(1, 'echo'), result('1', 'echo'), '{"jsonrpc":"2.0","method":"progress"}', result('', 'stream')])
  })

  test('carries messages outside requests', async () => {
    await open()
    void front.streams.at(-1)?.send('{"jsonrpc":"2.0","method":"changed"}', false)
    await expect.poll(received, pollTimeout).toEqual(['{"jsonrpc":"2.0","method":"changed"}'])
  })

  test('forwards notifications and responses, and answers neither', async () => {
    await open()
    input.write('{"jsonrpc":"2.0","method":"no/such/notification"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n')
    input.write(request(1, 'echo'))
    await expect.poll(received, pollTimeout).toEqual([result(1, 'echo')])
    expect(front.taken.map(({ kind }) => kind)).toEqual(['notification', 'result'])
  })

  test('writes nothing for a request that ends without a response', async () => {
    await open()
    input.write(request(1, 'cancelled') + request(2, 'echo'))
    await expect.poll(received, pollTimeout).toEqual([result(2, 'echo')])
  })

  test('accepts lines in pieces of any size', async () => {
    await open()
    for (const byte of Buffer.from(request('ä€😀', 'echo'))) input.write(Buffer.of(byte))
    await expect.poll(received, pollTimeout).toEqual([result('ä€😀', 'echo')])
  })

  test('writes the answers of one turn together', async () => {
    await open()
    const chunks: string[] = []
    output.on('data', (text: string) => chunks.push(text))
    input.write(request(1, 'echo') + request(2, 'echo') + request(3, 'echo'))
    await expect.poll(received, pollTimeout).toEqual([result(1, 'echo'), result(2, 'echo'), result(3, 'echo')])
    expect(chunks).toHaveLength(1)
  })

  test('buffers messages after `initialize` until there is a session', async () => {
    serve()
    read()
    input.write(initialize() + request(1, 'echo'))
    input.write(request(2, 'echo'))
    await expect.poll(received, pollTimeout).toEqual([...initialized, result(1, 'echo'), result(2, 'echo')])
  })

  test('answers requests before `initialize`', async () => {
    serve()
    read()
    input.write(request(1, 'echo') + initialize())
    await expect.poll(received, pollTimeout).toEqual([refusal(-32000, 1), ...initialized])
  })
})

describe('a line that is not a message', () => {
  test.each<[string, string | Buffer, number, number | string | undefined]>([
    ['is not JSON', '{"jsonrpc":"2.0",\n', -32700, undefined],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), -32700, undefined],
    ['is not an object', '"hello"\n', -32600, undefined],
    ['is a request with something wrong in it', '{"jsonrpc":"1.0","id":"a","method":"echo"}\n', -32600, 'a'],
    ['is an empty batch', '[]\n', -32600, undefined],
    [
      'is nested too deeply',
      `{"jsonrpc":"2.0","id":9,"method":"a","params":${'['.repeat(99)}${']'.repeat(99)}}\n`,
      -32600,
      9,
    ],
    ['is too long', `${' '.repeat(20_000)}\n`, -32600, undefined],
  ])('because it %s is refused, and the next one is not', async (_name, line, code, id) => {
    await open(undefined, { line: 10_000 })
    input.write(line)
    input.write(request(1, 'echo'))
    await expect.poll(received, pollTimeout).toEqual([refusal(code, id), result(1, 'echo')])
  })

  test('because it has no end is refused when it is too long, and not buffered', async () => {
    await open(undefined, { line: 10_000 })
    for (let count = 0; count < 100; count += 1) input.write('x'.repeat(10_000))
    await expect.poll(received, pollTimeout).toEqual([refusal(-32600)])
    input.write(`\n${request(1, 'echo')}`)
    await expect.poll(received, pollTimeout).toEqual([refusal(-32600), result(1, 'echo')])
  })

  test('because it is a malformed response fails the request that it was for', async () => {
    await open()
    input.write('{"jsonrpc":"2.0","id":"node-1","result":{},"error":{}}\n')
    await expect.poll(received, pollTimeout).toEqual([refusal(-32600)])
    expect(front.taken).toMatchObject([{ kind: 'error', id: '"node-1"', error: { code: -32600 } }])
  })

  test('because it is empty is ignored', async () => {
    await open()
    input.write(`\n\r\n\n${request(1, 'echo').replace('\n', '\r\n')}`)
    await expect.poll(received, pollTimeout).toEqual([result(1, 'echo')])
  })
})

describe('a batch', () => {
  const batch = (...entries: readonly string[]): string => `[${entries.map((entry) => entry.trim()).join(',')}]\n`

  test('is answered with one array, at the revision that has batches', async () => {
    await open('2025-03-26')
    const notification = '{"jsonrpc":"2.0","method":"a"}'
    input.write(batch(request(1, 'echo'), notification, request(2, 'wait'), '{"wrong":1}', request(3, 'cancelled')))
    input.write(request(4, 'echo'))
    await expect.poll(received, pollTimeout).toEqual([result(4, 'echo')])
    front.release()
    await expect.poll(() => lines, pollTimeout).toHaveLength(2)
    expect(JSON.parse(lines[1] ?? '')).toEqual([
      JSON.parse(result(1, 'echo')),
      expect.objectContaining({ error: expect.objectContaining({ code: -32600 }) }),
      JSON.parse(result(2, 'wait')),
    ])
    expect(front.taken).toHaveLength(1)
  })

  test('does not delay messages that are not answers', async () => {
    await open('2025-03-26')
    input.write(batch(request(1, 'wait'), request(2, 'stream')))
    await expect.poll(received, pollTimeout).toEqual(['{"jsonrpc":"2.0","method":"progress"}'])
    front.release()
    await expect
      .poll(received)
      .toEqual(['{"jsonrpc":"2.0","method":"progress"}', `[${result(2, 'stream')},${result(1, 'wait')}]`])
  })

  test('of invalid entries alone is answered with one array', async () => {
    await open('2025-03-26')
    input.write('[1,2]\n')
    await expect.poll(() => lines, pollTimeout).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toHaveLength(2)
  })

  test('of notifications is not answered', async () => {
    await open('2025-03-26')
    input.write('[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]\n')
    input.write(request(1, 'echo'))
    await expect.poll(received, pollTimeout).toEqual([result(1, 'echo')])
    expect(front.taken).toHaveLength(2)
  })

  test.each<Revision>(['2024-11-05', '2025-06-18', '2025-11-25'])('is refused as a whole by %s', async (revision) => {
    await open(revision)
    input.write(batch(request(1, 'echo'), request(2, 'echo')))
    await expect.poll(received, pollTimeout).toEqual([refusal(-32600, revision === '2025-11-25' ? undefined : null)])
  })

  test('is refused before there is a session, and with `initialize` in it', async () => {
    serve()
    read()
    input.write(batch(request(1, 'echo')) + initialize('2025-03-26') + batch(initialize(), request(1, 'echo')))
    await expect.poll(received, pollTimeout).toEqual([refusal(-32600, null), ...initialized, refusal(-32600, null)])
  })
})

describe('at the end of the input', () => {
  test('a last line without a newline is a message, and the session ends', async () => {
    await open()
    input.end(request(1, 'echo').trim())
    await expect(server.closed).resolves.toBeUndefined()
    expect(lines).toEqual([result(1, 'echo')])
    expect(front.ended).toEqual(['disconnected'])
  })

  test('a whole conversation that arrives together is answered', async () => {
    serve()
    read()
    input.end(initialize() + request(1, 'echo') + request(2, 'large').trim())
    await expect(server.closed).resolves.toBeUndefined()
    expect(lines).toEqual([...initialized, result(1, 'echo'), expect.stringContaining('"id":2')])
  })

  test('waits for all answers, although some are sent before the rest is read', async () => {
    serve()
    read()
    input.end(initialize() + request(1, 'echo') + request(2, 'wait'))
    await expect.poll(received, pollTimeout).toEqual([...initialized, result(1, 'echo')])
    front.release()
    await expect(server.closed).resolves.toBeUndefined()
    expect(lines).toEqual([...initialized, result(1, 'echo'), result(2, 'wait')])
  })

  test('waits for requests in flight', async () => {
    await open()
    input.end(request(1, 'wait') + request(2, 'echo'))
    await expect.poll(received, pollTimeout).toEqual([result(2, 'echo')])
    expect(front.ended).toEqual([])
    front.release()
    await expect(server.closed).resolves.toBeUndefined()
    expect(lines).toEqual([result(2, 'echo'), result(1, 'wait')])
  })

  test('does not wait for a request that takes too long', async () => {
    await open(undefined, { drainMs: 50 })
    input.end(request(1, 'wait'))
    await expect(server.closed).resolves.toBeUndefined()
    expect(front.ended).toEqual(['disconnected'])
    expect(front.lost).toEqual(['wait'])
  })

  test('does not wait for a subscription, which has no end of its own', async () => {
    await open(undefined, { drainMs: 600_000 })
    input.end(request(1, 'subscriptions/listen'))
    await expect(server.closed).resolves.toBeUndefined()
    expect([front.lost, received()]).toEqual([['subscriptions/listen'], []])
  })

  test('ends immediately when there was no input', async () => {
    serve()
    input.end()
    await expect(server.closed).resolves.toBeUndefined()
    expect(front.ended).toEqual([])
  })

  test('treats a broken input as its end', async () => {
    await open()
    input.destroy(new Error('broken'))
    await expect(server.closed).resolves.toBeUndefined()
    expect(front.ended).toEqual(['disconnected'])
  })
})

describe('closing', () => {
  test('answers received requests, accepts no more, and leaves the streams open for their owner', async () => {
    await open()
    input.write(request(1, 'wait'))
    await expect.poll(() => input.readableLength, pollTimeout).toBe(0)
    const closing = server.close()
    await expect.poll(() => input.isPaused(), pollTimeout).toBe(true)
    input.write(request(2, 'echo'))
    front.release()
    await closing
    await server.close()
    expect(lines).toEqual([result(1, 'wait')])
    expect(front.ended).toEqual(['shutdown'])
    expect(output.writableEnded).toBe(false)
  })
})

describe('a client that does not read', () => {
  test('is not read from either, until it reads', async () => {
    serve()
    input.write(initialize())
    await expect.poll(() => front.streams.at(-1), pollTimeout).toBeDefined()
    for (let id = 1; id <= 100; id += 1) input.write(request(id, 'large'))
    await expect.poll(() => input.isPaused(), pollTimeout).toBe(true)
    expect(output.readableLength + output.writableLength).toBeLessThan(2_000_000)
    read()
    await expect.poll(() => lines, pollTimeout).toHaveLength(102)
    expect(lines.slice(2).map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
  })

  test('makes writers to it wait', async () => {
    serve()
    input.write(initialize())
    await expect.poll(() => front.streams.at(-1), pollTimeout).toBeDefined()
    const wait = front.streams.at(-1)?.send(`"${'x'.repeat(100_000)}"`, false)
    expect(wait).toBeInstanceOf(Promise)
    read()
    await wait
  })

  test('is given up before it fills the memory', async () => {
    serve({ buffered: 1_000_000 })
    input.write(initialize())
    await expect.poll(() => front.streams.at(-1), pollTimeout).toBeDefined()
    input.write(request(1, 'wait'))
    await expect.poll(() => input.readableLength, pollTimeout).toBe(0)
    for (let count = 0; count < 100; count += 1) void front.streams.at(-1)?.send(`"${'x'.repeat(100_000)}"`, false)
    await expect(server.closed).resolves.toMatchObject({ code: 'LIMIT_REACHED' })
    expect(front.ended).toEqual(['disconnected'])
    expect(front.lost).toEqual(['wait'])
    expect(output.writableLength).toBeLessThan(2_000_000)
  })

  test('because it is gone ends the session', async () => {
    await open()
    input.write(request(1, 'wait'))
    await expect.poll(() => input.readableLength, pollTimeout).toBe(0)
    output.destroy(new Error('EPIPE'))
    await expect(server.closed).resolves.toMatchObject({ code: 'CLOSED' })
    expect(front.ended).toEqual(['disconnected'])
    expect(front.lost).toEqual(['wait'])
  })
})

describe('a client that is refused', () => {
  test('gets the end of the connection, and `closed` has the reason', async () => {
    const error = { code: -32000, message: 'Authentication required' }
    front.authenticate = () => ({ kind: 'challenge', status: 401, situation: 'unauthenticated', error, headers: {} })
    serve()
    await expect(server.closed).resolves.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  test('because authentication fails gets the end of the connection', async () => {
    front.authenticate = () => Promise.reject(new Error('down'))
    serve()
    await expect(server.closed).resolves.toMatchObject({ code: 'BUG', cause: new Error('down') })
  })

  test('is not waited for when the server closes while it is checked, and is not served afterwards', async () => {
    const checked = Promise.withResolvers<void>()
    const authenticate = front.authenticate.bind(front)
    front.authenticate = (head) => checked.promise.then(() => authenticate(head))
    serve()
    await server.close()
    await expect(server.closed).resolves.toBeUndefined()
    checked.resolve()
    await expect.poll(() => front.heads.length, pollTimeout).toBe(1)
    await new Promise(setImmediate)
    expect(input.listenerCount('data')).toBe(0)
  })
})
