import {
  openEvents,
  routes,
  type Script,
  sendEvent,
  sendJson,
  startScriptedServer,
  statusOnly,
  eventually,
} from '@junctor/testkit'
import { brotliCompressSync, createGzip, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { silentLog } from '@junctor/contracts'
import { expect, test } from 'vitest'
import { ask, logMessage, recorder, request, result, start } from '../../test/back-fixture.ts'
import { createMcpHttpClient, type HttpFailure } from './index.ts'

const gzipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
/** The default limit of a body. */
const messageBytes = 16 * 1024 * 1024

test('a JSON answer is the response', async () => {
  const { session } = await start((to, response) => sendJson(response, result(to, { done: true })))
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'result' })
})

test.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('a JSON answer that comes with the coding %s unasked is the response', async (coding, encode) => {
  const { session } = await start((to, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
    response.end(encode(JSON.stringify(result(to, { done: 'x'.repeat(1_000_000) }))))
  })
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'result' })
})

test('messages on a compressed stream arrive one by one', async () => {
  const first = Promise.withResolvers<void>()
  const { session } = await start((to, response) => {
    const encoder = createGzip()
    encoder.pipe(response.writeHead(200, { ...gzipped, 'content-type': 'text/event-stream' }))
    encoder.write(`data: ${JSON.stringify(logMessage('one'))}\n\n`)
    encoder.flush()
    void first.promise.then(() => encoder.end(`data: ${JSON.stringify(result(to))}\n\n`))
  })
  const recorded = recorder()
  session.request(request(1, 'tools/call'), {
    ...recorded,
    message(message) {
      recorded.message(message)
      first.resolve()
    },
  })
  expect(await recorded.end).toMatchObject({ kind: 'result' })
  expect(recorded.received).toHaveLength(2)
})

test('the explanation of a refusal may be compressed', async () => {
  const { session } = await start((_, response) => response.writeHead(400, gzipped).end(gzipSync('no such thing')))
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'refused', detail: 'no such thing' })
})

test('messages on the stream of a request arrive before its response, and none after it', async () => {
  const { session } = await start((to, response) => {
    openEvents(response)
    sendEvent(response, { data: logMessage('one') })
    sendEvent(response, { event: 'other', data: logMessage('of another type') })
    sendEvent(response, { data: { jsonrpc: '2.0', id: 'ask', method: 'roots/list' } })
    sendEvent(response, { data: { jsonrpc: '2.0', id: 4711, result: {} } })
    sendEvent(response, { data: result(to) })
    sendEvent(response, { data: logMessage('late') })
    response.end()
  })
  const { received } = await ask(session)
  expect(received).toEqual([
    { message: 'notifications/message' },
    { message: 'roots/list' },
    { answered: expect.objectContaining({ kind: 'result' }) },
  ])
})

test('a batch on a stream is several messages', async () => {
  const { session } = await start((to, response) => {
    openEvents(response)
    sendEvent(response, { data: JSON.stringify([logMessage('one'), result(to)]) })
    response.end()
  })
  const { received } = await ask(session)
  expect(received).toHaveLength(2)
})

test.each<[string, Script, Partial<HttpFailure> & object]>([
  [
    'a redirect',
    (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/mcp?key=x' }).end('moved'),
    {
      kind: 'refused',
      status: 307,
      detail: 'it redirects, so the URL in the configuration must be the one that the redirect leads to',
    },
  ],
  [
    'too many requests',
    (_, response) => response.writeHead(429, { 'retry-after': '7' }).end('slow down\nplease'),
    { kind: 'refused', status: 429, retryAfterMs: 7000, detail: 'slow down please' },
  ],
  [
    'a JSON-RPC error without an id',
    (_, response) => sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad' } }, 400),
    { kind: 'refused', status: 400, detail: 'Bad' },
  ],
  ['a page', (_, response) => response.writeHead(502).end('<html>'), { kind: 'refused', detail: undefined }],
  ['404 outside of a session', statusOnly(404), { kind: 'refused', status: 404 }],
  ['202', statusOnly(202), { kind: 'unusable' }],
  ['HTML', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), { kind: 'unusable' }],
  [
    'no JSON',
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    { kind: 'unusable' },
  ],
  ['another id', (_, response) => sendJson(response, { jsonrpc: '2.0', id: 'x', result: {} }), { kind: 'unusable' }],
  [
    'a body of an unknown content coding',
    (to, response) => sendJson(response, result(to), 200, { 'content-encoding': 'x-own' }),
    { kind: 'unusable' },
  ],
  [
    'a body that does not have its content coding',
    (to, response) => sendJson(response, result(to), 200, { 'content-encoding': 'gzip' }),
    { kind: 'unusable', what: expect.stringContaining('content coding') as string },
  ],
  [
    'a compressed body that becomes too large',
    (_, response) => response.writeHead(200, gzipped).end(gzipSync(Buffer.alloc(2 * messageBytes, 32))),
    { kind: 'unusable', what: 'the answer is larger than the limit' },
  ],
  ['a cut connection', (_, response) => response.destroy(), { kind: 'interrupted' }],
  [
    'a body that is cut',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{')
      setImmediate(() => response.destroy())
    },
    { kind: 'interrupted' },
  ],
  [
    'a stream without event ids that ends',
    (_, response) => {
      openEvents(response)
      sendEvent(response, { data: logMessage('one') })
      response.end()
    },
    { kind: 'interrupted' },
  ],
  [
    'a stream of other bytes',
    (_, response) => {
      openEvents(response)
      response.end(Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xfe, 0x0a, 0x0a]))
    },
    { kind: 'unusable' },
  ],
])('%s is a failure', async (_, script, failure) => {
  const { session } = await start(script)
  const { end } = await ask(session)
  expect(end).toMatchObject(failure)
})

test('an error of the server with an error status is its response', async () => {
  const { session } = await start((to, response) =>
    sendJson(response, { jsonrpc: '2.0', id: to.body['id'] ?? null, error: { code: -32602, message: 'Bad' } }, 400),
  )
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'error', error: { code: -32602 } })
})

const unnamed = { jsonrpc: '2.0', id: null, error: { code: -32602, message: 'Bad' } }

test.each<[string, Script]>([
  ['in a body', (_, response) => sendJson(response, unnamed)],
  [
    'on a stream',
    (_, response) => {
      openEvents(response)
      sendEvent(response, { data: unnamed })
      response.end()
    },
  ],
])('an error without an id, %s of one request, is its response', async (_where, script) => {
  const { session } = await start(script)
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'error', id: '1', error: { code: -32602, message: 'Bad' } })
})

test.each([
  ['an error without an id', unnamed],
  // As the Python SDK refuses what it cannot assign to a session.
  ['an error with another id', { jsonrpc: '2.0', id: 'server-error', error: { code: -32602, message: 'Bad' } }],
])('%s that refuses a request explains the refusal, and is no violation', async (_which, error) => {
  const logged: string[] = []
  const log = { ...silentLog, warn: (message: string) => void logged.push(message) }
  const { session } = await start((_, response) => sendJson(response, error, 400), { log })
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'refused', status: 400, detail: 'Bad' })
  expect(logged).toEqual([])
})

test('a content type that came twice is read once', async () => {
  const { session } = await start((to, response) => {
    response.writeHead(200, { 'content-type': 'application/json, application/json' })
    response.end(JSON.stringify(result(to)))
  })
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'result' })
})

test.each([
  ['a text as its error', { error: 'oops' }],
  ['neither result nor error', {}],
])('a response with %s becomes an error response, so that the caller does not wait forever', async (_name, members) => {
  const { session } = await start((to, response) =>
    sendJson(response, { jsonrpc: '2.0', id: to.body['id'] ?? null, ...members }),
  )
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'error', error: { code: -32603 } })
})

test('a server that does not listen is unreachable: nothing was sent', async () => {
  const gone = await startScriptedServer(() => {})
  await gone.close()
  const client = createMcpHttpClient({ url: gone.origin })
  const { end } = await ask(client.createSession())
  expect(end).toMatchObject({ kind: 'unreachable' })
  await client.close()
})

test.each<[string, Script]>([
  ['a body', (to, response) => sendJson(response, result(to, { text: 'x'.repeat(20_000) }))],
  [
    'an endless body',
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('x'.repeat(20_000)),
  ],
  [
    'an event',
    (_, response) => {
      openEvents(response)
      response.write(`data: ${'x'.repeat(20_000)}`)
    },
  ],
])('%s beyond the limit fails its request and releases the connection', async (_, script) => {
  const { server, session } = await start(script, { limits: { messageBytes: 10_000 } })
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'unusable' })
  await eventually(() => expect(server.sockets).toBe(0))
})

/** Answers, on a resumed stream, the request that was sent last. */
const answersLast: Script = (_, response) => {
  openEvents(response)
  sendEvent(response, { id: 'e-3', data: logMessage('after') })
  sendEvent(response, { id: 'e-4', data: { jsonrpc: '2.0', id: 1, result: {} } })
  response.end()
}

/** A stream that ends before its response. */
const breaksOff: Script = (_, response) => {
  openEvents(response)
  sendEvent(response, { id: 'e-1', retry: 1, data: '' })
  response.end()
}

test('a broken stream is resumed after the pause that the server asks for, and the request is not sent again', async () => {
  const times: number[] = []
  const { server, session } = await start(
    routes({
      POST(_, response) {
        openEvents(response)
        sendEvent(response, { id: 'e-1', retry: 120, data: '' })
        sendEvent(response, { id: 'e-2', data: logMessage('before') })
        response.end(() => times.push(performance.now()))
      },
      GET(to, response) {
        times.push(performance.now())
        answersLast(to, response)
      },
    }),
  )
  const { end, received } = await ask(session)
  expect(end).toMatchObject({ kind: 'result' })
  expect(received).toHaveLength(3)
  expect(server.received.map(({ method }) => method)).toEqual(['POST', 'GET'])
  expect(server.received[1]?.headers['last-event-id']).toBe('e-2')
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(115)
})

test('a stream that is cut is resumed like one that ended', async () => {
  const { session } = await start(
    routes({
      POST(_, response) {
        openEvents(response)
        sendEvent(response, { id: 'e-1', retry: 1, data: '' })
        setImmediate(() => response.destroy())
      },
      GET: answersLast,
    }),
  )
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'result' })
})

test('a stream may be resumed any number of times, as long as each attempt brings an event', async () => {
  let round = 0
  const { server, session } = await start((_, response) => {
    round += 1
    openEvents(response)
    sendEvent(response, {
      id: `e-${round}`,
      retry: 1,
      data: round === 12 ? { jsonrpc: '2.0', id: 1, result: {} } : '',
    })
    response.end()
  })
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'result' })
  expect(server.received).toHaveLength(12)
})

test.each<[string, Script]>([
  [
    'ends empty',
    (_, response) => {
      openEvents(response)
      response.end()
    },
  ],
  ['is refused for a while', statusOnly(503)],
])('a resumed stream that %s is given up after five attempts', async (_, resumed) => {
  const { server, session } = await start(routes({ POST: breaksOff, GET: resumed }))
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'interrupted' })
  expect(server.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET', 'GET'])
})

test.each([404, 405, 400])('a stream that the server does not resume (%i) is given up immediately', async (code) => {
  const { server, session } = await start(routes({ POST: breaksOff, GET: statusOnly(code) }))
  const { end } = await ask(session)
  expect(end).toMatchObject({ kind: 'interrupted' })
  expect(server.received).toHaveLength(2)
})

test('the error in place of a malformed response names the backend', async () => {
  const malformed: Script = (to, response) => sendJson(response, { jsonrpc: '2.0', id: to.body['id'], error: 'text' })
  const { session } = await start(malformed, { backend: 'weather' })
  const { end, ...listener } = recorder()
  session.request(request(1, 'tools/list'), listener)
  const answer = await end
  const error = answer.kind === 'error' ? answer.error : undefined
  expect(error?.message).toContain('The backend sent no valid response')
  expect(error?.data?.value()).toMatchObject({ backend: 'weather' })
})
