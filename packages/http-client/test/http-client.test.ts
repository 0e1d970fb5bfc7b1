import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { type HttpAnswer, startHttpServer, type TestHttpServer } from '@junctor/testkit/http'
import { afterEach, expect, test } from 'vitest'
import { createHttpClient, type HttpClient, type HttpClientOptions, HttpRequestError } from '../src/index.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A server on loopback; its port is in the URL. */
async function serve(answer: HttpAnswer): Promise<TestHttpServer> {
  const started = await startHttpServer(answer)
  closing.push(started.close)
  return started
}

function client(options: HttpClientOptions = { allowed: ['127.0.0.1'] }): HttpClient {
  const made = createHttpClient(options)
  closing.push(() => made.close())
  return made
}

async function failureOf(promise: Promise<unknown>): Promise<HttpRequestError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(HttpRequestError)
  return error as HttpRequestError
}

test('an allowed host is reached: status, headers and body', async () => {
  const { port } = await serve((request, response) => {
    response.writeHead(201, { 'x-method': request.method, 'x-sent': request.headers['x-key'] })
    request.pipe(response)
  })
  const answer = await client().request(`http://127.0.0.1:${port}/a?b=c`, {
    method: 'POST',
    headers: { 'x-key': 'k' },
    body: 'grüße',
  })
  expect(answer).toMatchObject({ status: 201, url: `http://127.0.0.1:${port}/a?b=c` })
  expect(answer.headers).toMatchObject({ 'x-method': 'POST', 'x-sent': 'k' })
  expect(await answer.text()).toBe('grüße')
})

test('a header that came several times is one text', async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200, { 'x-many': ['a', 'b'], 'www-authenticate': ['Basic', 'Bearer'] }).end()
  })
  const answer = await client().request(`http://127.0.0.1:${port}/`)
  expect(answer.headers).toMatchObject({ 'x-many': 'a, b', 'www-authenticate': 'Basic, Bearer' })
})

test.each([
  ['a loopback address', '127.0.0.1'],
  ['another way to write it', '0x7f.1'],
  ['one inside IPv6', '[::ffff:127.0.0.1]'],
  ['a name', 'localhost'],
])('%s that was not allowed is refused before anything is sent', async (_what, host) => {
  let requests = 0
  const { server, port } = await serve((_request, response) => {
    requests += 1
    response.end()
  })
  server.on('connection', () => (requests += 1))
  const failure = await failureOf(client({}).request(`http://${host}:${port}/`))
  expect(failure).toMatchObject({ kind: 'address_refused', sent: false })
  expect(requests).toBe(0)
})

test('a name is allowed by itself, not by its address', async () => {
  const { port } = await serve((_request, response) => response.end('here'))
  expect(await (await client({ allowed: ['localhost'] }).request(`http://localhost:${port}/`)).text()).toBe('here')
  expect(await failureOf(client().request(`http://localhost:${port}/`))).toMatchObject({ kind: 'address_refused' })
})

test('a redirect to another host does not reach a private address, not even over an open connection', async () => {
  const { port } = await serve((_request, response) => response.end('secret'))
  const redirecting = await serve((_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
  )
  const http = client({ allowed: ['localhost', '127.0.0.1'] })
  expect(await (await http.request(`http://127.0.0.1:${port}/`)).text()).toBe('secret')
  const failure = await failureOf(http.request(`http://localhost:${redirecting.port}/`))
  expect(failure).toMatchObject({ kind: 'address_refused' })
})

test('a redirect on the same host is followed; another origin receives no headers of the caller', async () => {
  const seen: unknown[] = []
  const second = await serve((request, response) => {
    seen.push(request.headers['authorization'], request.headers['x-key'], request.headers.accept)
    response.end('second')
  })
  const first = await serve((request, response) => {
    const location = request.url === '/a' ? '/b' : `http://127.0.0.1:${second.port}/`
    seen.push(request.headers['authorization'])
    response.writeHead(302, { location }).end('not read')
  })
  const answer = await client().request(`http://127.0.0.1:${first.port}/a`, {
    headers: { authorization: 'Bearer t', 'x-key': 'k', accept: 'text/plain' },
  })
  expect(await answer.text()).toBe('second')
  expect(answer.url).toBe(`http://127.0.0.1:${second.port}/`)
  expect(seen).toEqual(['Bearer t', 'Bearer t', undefined, undefined, 'text/plain'])
})

test('a server that has answered with a redirect has received the request, whatever comes then', async () => {
  const gone = await serve(() => undefined)
  gone.server.close()
  const { port } = await serve((_request, response) =>
    response.writeHead(303, { location: `http://127.0.0.1:${gone.port}/` }).end(),
  )
  const http = client()
  const direct = await failureOf(http.request(`http://127.0.0.1:${gone.port}/`, { method: 'POST' }))
  expect(direct).toMatchObject({ kind: 'unreachable', sent: false, loss: 'unsent' })
  const redirected = await failureOf(http.request(`http://127.0.0.1:${port}/`, { method: 'POST' }))
  expect(redirected).toMatchObject({ kind: 'unreachable', sent: true, loss: 'cut' })
})

test('redirects end', async () => {
  const { port } = await serve((_request, response) => response.writeHead(302, { location: '/' }).end())
  const failure = await failureOf(client().request(`http://127.0.0.1:${port}/`))
  expect(failure).toMatchObject({ kind: 'redirect_refused', message: 'there were too many redirects' })
})

test('a body above the limit ends, and closes its connection', async () => {
  const closed = Promise.withResolvers<void>()
  const { port } = await serve((_request, response) => {
    response.on('close', () => closed.resolve())
    const fill = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) {
        // as much as the connection takes
      }
    }
    response.on('drain', fill)
    fill()
  })
  const http = client({ allowed: ['127.0.0.1'], maxBytes: 1_000_000 })
  const answer = await http.request(`http://127.0.0.1:${port}/`)
  expect(await failureOf(answer.text())).toMatchObject({ kind: 'too_large', sent: true })
  await closed.promise
})

test.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('a body that comes with the coding %s unasked is decoded', async (coding, encode) => {
  const { port } = await serve((request, response) => {
    response.writeHead(200, { 'content-encoding': coding, 'x-asked': request.headers['accept-encoding'] })
    response.end(encode('grüße'))
  })
  const answer = await client().request(`http://127.0.0.1:${port}/`)
  expect([answer.headers['x-asked'], await answer.text()]).toEqual(['identity', 'grüße'])
})

test.each([
  ['of a file that is compressed itself', 'x-gzip', 'as it is', 'as it is'],
  ['that is not known', 'aws-chunked', 'as it is', 'as it is'],
  ['that every object has', 'constructor', 'as it is', 'as it is'],
  ['with the name of a prototype', '__proto__', 'as it is', 'as it is'],
  ['of nothing', 'gzip', '', ''],
])('a coding %s changes nothing', async (_what, coding, body, text) => {
  const { port } = await serve((_request, response) =>
    response.writeHead(200, { 'content-encoding': coding }).end(body),
  )
  expect(await (await client().request(`http://127.0.0.1:${port}/`)).text()).toBe(text)
})

test.each([
  ['is not the coding', Buffer.from('plain text'), 'undecodable'],
  ['ends too soon', gzipSync('x'.repeat(1000)).subarray(0, -9), 'undecodable'],
  ['is small, and decoded above the limit', gzipSync(Buffer.alloc(5_000_000)), 'too_large'],
])('a body that %s fails', async (_what, body, kind) => {
  const { port } = await serve((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
  )
  const http = client({ allowed: ['127.0.0.1'], maxBytes: 1_000_000 })
  const answer = await http.request(`http://127.0.0.1:${port}/`)
  expect(await failureOf(answer.bytes())).toMatchObject({ kind, sent: true })
})

test('a reader that leaves an encoded body closes its connection', async () => {
  const closed = Promise.withResolvers<void>()
  const { port } = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    const body = gzipSync('first piece', { finishFlush: constants.Z_SYNC_FLUSH })
    response.write(body)
    response.on('close', () => closed.resolve())
  })
  const answer = await client().request(`http://127.0.0.1:${port}/`)
  for await (const piece of answer.pieces()) {
    expect(new TextDecoder().decode(piece)).toBe('first piece')
    break
  }
  await closed.promise
})

test('a reader that does not read holds the server back', async () => {
  let written = 0
  const paused = Promise.withResolvers<void>()
  const { port } = await serve((_request, response) => {
    const fill = (): void => {
      while (!response.destroyed && written < 200_000_000) {
        written += 65_536
        if (response.write(Buffer.alloc(65_536))) continue
        setTimeout(() => response.writableNeedDrain && paused.resolve(), 200)
        return
      }
    }
    response.on('drain', fill)
    fill()
  })
  const http = client({ allowed: ['127.0.0.1'], maxBytes: 1_000_000_000 })
  const answer = await http.request(`http://127.0.0.1:${port}/`)
  await paused.promise
  expect(written).toBeLessThan(100_000_000)
  answer.cancel()
})

test.each([
  ['before the headers', (): void => {}],
  [
    'between headers and body',
    (response: Parameters<HttpAnswer>[1]): void => {
      response.writeHead(200, { 'content-length': 5 }).flushHeaders()
    },
  ],
])('a server that falls silent %s times out', async (_what, answer) => {
  const { port } = await serve((_request, response) => answer(response))
  const http = client({ allowed: ['127.0.0.1'], timeoutMs: 200 })
  const failure = await failureOf(http.request(`http://127.0.0.1:${port}/`).then((response) => response.text()))
  expect(failure).toMatchObject({ kind: 'timed_out', sent: true })
})

test('a connection that ends in the body is an interruption, after the pieces that arrived', async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('half', () => setImmediate(() => response.destroy()))
  })
  const answer = await client().request(`http://127.0.0.1:${port}/`)
  const pieces: string[] = []
  const reading = (async () => {
    for await (const piece of answer.pieces()) pieces.push(new TextDecoder().decode(piece))
  })()
  expect(await failureOf(reading)).toMatchObject({ kind: 'interrupted', sent: true })
  expect(pieces.join('')).toBe('half')
})

test('nobody listens: the request was not sent', async () => {
  const { server, port } = await serve(() => {})
  server.close()
  expect(await failureOf(client().request(`http://127.0.0.1:${port}/`))).toMatchObject({
    kind: 'unreachable',
    sent: false,
  })
})

test('an abort ends a request, before it starts and while it runs', async () => {
  const controller = new AbortController()
  const { port } = await serve(() => controller.abort(new Error('enough')))
  const running = failureOf(client().request(`http://127.0.0.1:${port}/`, { signal: controller.signal }))
  expect(await running).toMatchObject({ kind: 'aborted' })
  expect(await failureOf(client().request(`http://127.0.0.1:${port}/`, { signal: controller.signal }))).toMatchObject({
    kind: 'aborted',
    sent: false,
  })
})

test.each([
  ['no URL', 'weather', {}],
  ['another scheme', 'ftp://127.0.0.1/', {}],
  ['credentials in the URL', 'http://me:secret@127.0.0.1/', {}],
  ['a header with a line break', 'http://127.0.0.1/', { headers: { a: 'b\r\nc: d' } }],
  ['a method with a space', 'http://127.0.0.1/', { method: 'GET /' }],
])('%s is a bad request', async (_what, url, request) => {
  expect(await failureOf(client().request(url, request))).toMatchObject({ kind: 'bad_request', sent: false })
})

test('a server that does not answer in time has failed, after whole milliseconds', async () => {
  const { port } = await serve(() => {})
  const failure = await failureOf(client().request(`http://127.0.0.1:${port}/`, { timeoutMs: 50 }))
  expect([failure.kind, failure.message]).toEqual(['timed_out', expect.stringMatching(/within \d+ ms$/)])
})

test('closing ends requests in flight', async () => {
  const http = client()
  const { port } = await serve(() => void http.close())
  expect(await failureOf(http.request(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'aborted' })
})
