import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startFront } from '../../test/front-fixture.ts'
import { type Call, callOf, send } from '../../test/http-fixture.ts'

const verbs: readonly Call[] = [
  { method: 'POST', body: callOf('echo', {}) },
  { method: 'GET', headers: { accept: 'text/event-stream' } },
  { method: 'DELETE' },
  { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } },
  { method: 'PUT', body: '{}' },
]

describe.each(verbs)('$method', (verb) => {
  test.each([
    ['a foreign host', { host: 'evil.example.com' }],
    ['a host that only looks like this machine', { host: 'localhost.evil.com' }],
    ['a name below localhost', { host: 'evil.localhost' }],
    ['a trailing dot', { host: 'localhost.' }],
    ['a port trick', { host: 'localhost:80@evil.com' }],
    ['no host', { host: '' }],
    ['a foreign origin', { origin: 'https://evil.example.com' }],
    ['an opaque origin', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['a foreign origin at a foreign host', { host: 'evil.example.com', origin: 'https://evil.example.com' }],
  ])('with %s is refused, regardless of the rest', async (_name, bad) => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const answer = await send(port, { ...verb, session, headers: { ...verb.headers, ...bad } })
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('origin_refused') })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(gateway.received).toEqual([])
    expect(gateway.sessions.size).toBe(1)
  })
})

describe('a request with two different hosts is refused', () => {
  /** Sends a request that no client library would send. */
  async function sendRaw(port: number, lines: readonly string[], body = ''): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    socket.end(`${[...lines, 'Connection: close', `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`)
    let text = ''
    for await (const chunk of socket.setEncoding('utf8')) text += String(chunk)
    return text
  }
  const usual = ['Content-Type: application/json', 'Accept: application/json, text/event-stream']

  test.each([
    ['two Host headers', ['POST /mcp HTTP/1.1', 'Host: localhost', 'Host: evil.example']],
    ['the same Host header twice', ['POST /mcp HTTP/1.1', 'Host: localhost', 'hOST: localhost']],
    ['another host in the target', ['POST http://evil.example/mcp HTTP/1.1', 'Host: localhost']],
    ['another port in the target', ['POST http://localhost:81/mcp HTTP/1.1', 'Host: localhost:80']],
  ])('%s', async (_what, lines) => {
    const { gateway, port } = await startFront()
    const text = await sendRaw(port, [...lines, ...usual], callOf('echo', {}))
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('invalid_request')
    expect(gateway.received).toEqual([])
  })

  test('but the same host in the target is accepted', async () => {
    const { gateway, port } = await startFront()
    const session = `Mcp-Session-Id: ${gateway.open('2025-11-25').id}`
    const lines = ['POST http://localhost/mcp HTTP/1.1', 'Host: localhost', session]
    expect(await sendRaw(port, [...lines, ...usual], callOf('echo', {}))).toMatch(/^HTTP\/1\.1 200 /)
  })
})

test.each(['localhost', 'localhost:1', '127.0.0.1:8080', '[::1]:9', 'LOCALHOST'])(
  'Host %s is admitted',
  async (host) => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-11-25')
    expect(await send(port, { session, headers: { host }, body: callOf('echo', {}) })).toMatchObject({ status: 200 })
  },
)

describe('a page', () => {
  const origin = 'https://app.example.com'
  const listen = { allowedOrigins: [origin] }

  test('of an allowed origin may read every kind of answer', async () => {
    const { gateway, port } = await startFront({ listen })
    const session = gateway.open('2025-11-25')
    const calls: [number, Call][] = [
      [200, { session, body: callOf('echo', {}) }],
      [202, { session, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }],
      [400, { body: '{' }],
      [401, { body: '{}', headers: { authorization: 'Bearer nobody' } }],
      [404, { headers: { 'mcp-session-id': 'x' }, body: callOf('echo') }],
      [405, { method: 'PUT' }],
      [204, { session, method: 'DELETE' }],
    ]
    for (const [status, request] of calls) {
      const answer = await send(port, { ...request, headers: { ...request.headers, origin } })
      expect(answer).toMatchObject({
        status,
        headers: {
          'access-control-allow-origin': origin,
          'access-control-expose-headers':
            'mcp-session-id, mcp-protocol-version, preference-applied, www-authenticate, retry-after, ratelimit, ratelimit-policy',
          vary: 'Origin',
        },
      })
    }
  })

  test('may read a stream', async () => {
    const { gateway, port } = await startFront({ listen })
    const answer = send(port, { session: gateway.open('2025-11-25'), headers: { origin }, body: callOf('wait') })
    const { sink } = await gateway.round()
    void sink.send('{}', false)
    void sink.send('{}', true)
    expect((await answer).headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' })
  })

  test('may send a preflight', async () => {
    const { port } = await startFront({ listen })
    const headers = {
      origin,
      'content-type': undefined,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,mcp-session-id,mcp-param-region',
    }
    const answer = await send(port, { method: 'OPTIONS', path: '/mcp/acme', headers })
    expect(answer).toMatchObject({
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
        'access-control-allow-headers': expect.stringMatching(/\bmcp-session-id\b.*, mcp-param-region$/),
        vary: 'Origin, Access-Control-Request-Headers',
      },
    })
  })
})

test('OPTIONS without an origin lists the methods', async () => {
  const { port } = await startFront()
  const answer = await send(port, { method: 'OPTIONS' })
  expect(answer).toMatchObject({ status: 204, headers: { allow: 'GET, POST, DELETE, OPTIONS' } })
})

const others = METHODS.filter((method) => !['POST', 'GET', 'DELETE', 'OPTIONS', 'CONNECT'].includes(method))
test.each(others)('%s is not allowed', async (method) => {
  const { port } = await startFront()
  const answer = await send(port, { method, body: '{}' })
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, POST, DELETE, OPTIONS' } })
})

test.each([
  ['an unknown path', '/', 404],
  ['a longer path', '/mcp/acme/x/y', 404],
  ['a path in capitals', '/MCP', 404],
  ['an unknown tenant', '/mcp/nobody', 404],
  ['a tenant with a slash in it', '/mcp/a%2Fb', 404],
  ['the endpoint of a backend at another path than its own', '/mcp/acme%2F-%2Ffiles', 404],
  ['a tenant that is too long', `/mcp/${'x'.repeat(200)}`, 414],
  ['a path that cannot be decoded', '/mcp/%zz', 400],
])('%s is an error like any other', async (_name, path, status) => {
  const { port } = await startFront()
  const answer = await send(port, { path, body: callOf('echo', {}) })
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } })
  expect(answer.text).not.toContain('FST_')
})

test('the error for a path that cannot be decoded says what was expected and what came', async () => {
  const { port } = await startFront()
  const { text } = await send(port, { path: '/mcp/50%', body: callOf('echo', {}) })
  expect((JSON.parse(text) as { error: { message: string } }).error.message).toContain('such as %20')
  expect((JSON.parse(text) as { error: { message: string } }).error.message).toContain('got "%"')
})

test.each(['/mcp', '/mcp/', '/mcp?x=1', '/mcp/acme', '/mcp/acme?x=1', '/mcp/acme/-/files'])(
  '%s is the endpoint',
  async (path) => {
    const { port } = await startFront()
    expect(await send(port, { path, body: callOf('echo', {}) })).toMatchObject({ status: 200 })
  },
)
