import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startFront } from '../../../test/front-fixture.ts'
import { callOf, send } from '../../../test/http-fixture.ts'

const initialize = callOf('initialize', { protocolVersion: '2025-11-25' })

describe('a request', () => {
  test('that is answered immediately gets one JSON text', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const answer = await send(port, { session, body: callOf('echo', { message: 'Grüße 🌍' }, 'a') })
    expect(answer).toMatchObject({
      status: 200,
      text: '{"jsonrpc":"2.0","id":"a","result":{"message":"Grüße 🌍"}}',
      headers: { 'content-type': 'application/json', 'content-length': '62' },
    })
    expect(answer.headers).not.toHaveProperty('mcp-session-id')
    expect(answer.headers).not.toHaveProperty('vary')
  })

  test('that opens a session receives its id', async () => {
    const { gateway, port } = await startFront()
    const answer = await send(port, { body: initialize })
    expect(answer.status).toBe(200)
    expect(gateway.sessions.has(String(answer.headers['mcp-session-id']))).toBe(true)
  })

  test('without a session is answered by the gateway', async () => {
    const { gateway, port } = await startFront()
    const answer = send(port, { body: callOf('tools/list') })
    const { sink, from } = await gateway.round()
    expect(from.session).toBeUndefined()
    void sink.send('{"refused":true}', true, undefined, 400)
    expect(await answer).toMatchObject({ status: 400, text: '{"refused":true}' })
  })

  test('arrives with its caller, its session and the revision that it names', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-06-18')
    const answer = send(port, {
      session,
      path: '/mcp',
      headers: { 'mcp-protocol-version': '2025-03-26' },
      body: callOf('wait'),
    })
    const { sink, from } = await gateway.round()
    expect(from).toMatchObject({ identity: { principal: { subject: 'alice' } }, revision: '2025-03-26' })
    expect(from.session).toBe(session)
    void sink.send('{}', true)
    expect((await answer).status).toBe(200)
  })

  test.each([[1], [70_000], [2_000_000]])('of %i characters arrives unchanged', async (length) => {
    const { gateway, port } = await startFront()
    const message = 'é'.repeat(length / 2).padEnd(length, 'x')
    const answer = await send(port, { session: gateway.open('2025-11-25'), body: callOf('echo', { message }) })
    expect(answer.text).toBe(`{"jsonrpc":"2.0","id":1,"result":{"message":"${message}"}}`)
  })

  test('may come in chunks of unknown length', async () => {
    const { gateway, port } = await startFront()
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const headers = {
      'content-type': 'application/json',
      accept: '*/*',
      'mcp-session-id': gateway.open('2025-11-25').id,
      'transfer-encoding': 'chunked',
    }
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/mcp', agent: false, headers })
    request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    for (const letter of callOf('echo', { message: 'é' })) request.write(letter)
    request.end()
    expect(await promise).toBe(200)
    expect(gateway.received).toHaveLength(1)
  })

  test('works when the identity and the session are promises', async () => {
    const { gateway, port } = await startFront()
    gateway.slow = true
    const session = gateway.open('2025-11-25')
    expect(await send(port, { session, body: callOf('echo', {}) })).toMatchObject({ status: 200 })
    expect(await send(port, { headers: { 'mcp-session-id': 'x' }, body: callOf('echo') })).toMatchObject({
      status: 404,
    })
    expect(await send(port, { headers: { authorization: 'Bearer nobody' }, body: '{}' })).toMatchObject({ status: 401 })
  })
})

describe('a request whose client prefers not to wait', () => {
  test.each([
    ['respond-async', 202, 'respond-async'],
    ['respond-async', 200, undefined],
    ['wait=5', 202, undefined],
    [undefined, 202, undefined],
  ])('with Prefer: %s and answered with %i has Preference-Applied: %s', async (prefer, status, applied) => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const answer = send(port, { session, body: callOf('wait'), headers: { prefer } })
    const { sink, from } = await gateway.round()
    expect(from.respondAsync).toBe(prefer === 'respond-async')
    void sink.send('{"status":"queued"}', true, undefined, status)
    const { headers, ...rest } = await answer
    expect(rest).toEqual({ status, text: '{"status":"queued"}' })
    expect(headers['content-type']).toBe('application/json')
    expect(headers['preference-applied']).toBe(applied)
  })
})

describe('JSON-RPC 3.0', () => {
  const three = (message: object): string => JSON.stringify({ jsonrpc: '3.0', ...message })

  test('a request without a session is answered by the gateway', async () => {
    const { gateway, port } = await startFront()
    const answer = send(port, { body: three({ id: null, method: 'wait', options: { stream: true } }) })
    const { message, from, sink } = await gateway.round()
    expect(message).toMatchObject({ dialect: '3.0', id: 'null' })
    expect(from).toMatchObject({ session: undefined, dialect: '3.0' })
    void sink.send('{}', true)
    expect((await answer).status).toBe(200)
  })

  test.each([
    ['a notification', { method: 'notifications/initialized' }],
    ['an abort', { options: { stream: 1, abort: true } }],
    ['an ack', { ack: { id: 1 } }],
  ])('%s without a session is accepted', async (_name, message) => {
    const { gateway, port } = await startFront()
    expect(await send(port, { body: three(message) })).toMatchObject({ status: 202, text: '' })
    expect(gateway.received).toMatchObject([{ dialect: '3.0' }])
  })

  test('an unreadable message is refused in the version that it declares', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const answer = await send(port, { session, body: three({ id: 4, method: 5 }) })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text)).toMatchObject({
      jsonrpc: '3.0',
      id: 4,
      error: { code: -32600, title: expect.any(String) },
    })
  })

  test('a request of a session that is unknown is refused in its version', async () => {
    const { port } = await startFront()
    const answer = await send(port, { body: three({ id: 4, method: 'wait' }), headers: { 'mcp-session-id': 'gone' } })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '3.0', id: 4, error: { title: expect.any(String) } })
  })
})

describe('a message that is never answered', () => {
  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a result', { jsonrpc: '2.0', id: 'n-1', result: {} }],
    ['an error', { jsonrpc: '2.0', id: 'n-1', error: { code: 1, message: 'no' } }],
  ])('%s is accepted without a word', async (_name, message) => {
    const { gateway, port } = await startFront()
    const answer = await send(port, { session: gateway.open('2025-11-25'), body: JSON.stringify(message) })
    expect(answer).toMatchObject({ status: 202, text: '', headers: { 'content-length': '0' } })
    expect(answer.headers).not.toHaveProperty('content-type')
    expect(gateway.received).toHaveLength(1)
  })

  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
  test.each([
    ['a notification without a session', {}, notification, 400],
    ['a notification of an unknown session', { 'mcp-session-id': 's_none' }, notification, 404],
    ['a response of an unknown session', { 'mcp-session-id': 's_none' }, { jsonrpc: '2.0', id: 1, result: {} }, 404],
    ['a batch of them of an unknown session', { 'mcp-session-id': 's_none' }, [notification, notification], 404],
  ])('%s is refused by the status alone', async (_name, headers, message, status) => {
    const { gateway, port } = await startFront()
    const answer = await send(port, { headers, body: JSON.stringify(message) })
    expect(answer).toMatchObject({ status, text: '', headers: { 'content-length': '0' } })
    expect(answer.headers).not.toHaveProperty('content-type')
    expect(gateway.received).toEqual([])
  })

  test('a batch of an unknown session with a request in it is answered', async () => {
    const { port } = await startFront()
    const body = JSON.stringify([notification, JSON.parse(callOf('echo', {}))])
    const answer = await send(port, { headers: { 'mcp-session-id': 's_none' }, body })
    expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('session_unknown') })
  })
})

describe('refused before the gateway sees a message', () => {
  test.each([
    ['no content type', { headers: { 'content-type': undefined } }, 415, 'unsupported_media_type'],
    ['another content type', { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['no content type at all', { headers: { 'content-type': '/' } }, 415, 'unsupported_media_type'],
    ['a body that is packed', { headers: { 'content-encoding': 'gzip' } }, 415, 'unsupported_media_type'],
    ['an Accept without streams', { headers: { accept: 'application/json' } }, 406, 'not_acceptable'],
    ['an Accept without JSON', { headers: { accept: 'text/event-stream' } }, 406, 'not_acceptable'],
    ['a foreign session', { headers: { authorization: 'Bearer mallory' } }, 404, 'session_unknown'],
    ['an unknown session', { headers: { 'mcp-session-id': 's_none' } }, 404, 'session_unknown'],
    ['an empty session id', { headers: { 'mcp-session-id': '' } }, 404, 'session_unknown'],
    ['another tenant’s session', { path: '/mcp/acme' }, 404, 'session_unknown'],
    ['an unknown tenant', { path: '/mcp/nobody' }, 404, 'unknown_tenant'],
    ['no credentials', { headers: { authorization: 'Bearer nobody' } }, 401, 'unauthenticated'],
    ['a broken authenticator', { headers: { authorization: 'Bearer boom' } }, 500, 'Internal error'],
    ['an unknown revision', { headers: { 'mcp-protocol-version': '1999-01-01' } }, 400, 'unsupported_version'],
    ['half a message', { body: '{"jsonrpc":"2.0"' }, 400, 'Parse error'],
    ['nothing', { body: '' }, 400, 'Parse error'],
    ['JSON that is not a message', { body: '{"jsonrpc":"1.0","id":1,"method":"m"}' }, 400, 'invalid_request'],
    [
      'too deep a message',
      { body: callOf('echo', { a: JSON.parse('['.repeat(80) + ']'.repeat(80)) }) },
      413,
      'too_large',
    ],
    [
      'bytes that are not UTF-8',
      { body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff"}', 'latin1') },
      400,
      '-32700',
    ],
  ])('%s', async (_name, bad, status, reason) => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const answer = await send(port, { session, body: callOf('echo', {}), ...bad })
    expect(answer).toMatchObject({ status, headers: { 'content-type': expect.stringMatching(/^application\/json/) } })
    expect(answer.text).toContain(reason)
    expect(answer.text).not.toContain('secret')
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } })
    expect(gateway.received).toEqual([])
  })

  test.each([
    ['an Accept without streams', 'application/json', callOf('tools/list'), 406],
    ['half a message', 'application/json, text/event-stream', '{"jsonrpc":"2.0"', -32_700],
  ])('%s, of a request that names its revision without sessions', async (_name, accept, body, code) => {
    const { port } = await startFront()
    const answer = await send(port, { body, headers: { accept, 'mcp-protocol-version': '2026-07-28' } })
    const error: unknown = JSON.parse(answer.text)
    expect(error).toMatchObject({ error: { code } })
    expect(error).not.toHaveProperty('id')
  })

  test('a challenge comes with its headers', async () => {
    const { port } = await startFront()
    const answer = await send(port, { headers: { authorization: 'Bearer nobody' }, body: initialize })
    expect(answer.headers['www-authenticate']).toBe('Bearer resource_metadata="https://gw.example.com/x"')
    expect(answer.text).toContain('"id":null')
  })

  test('a parse error is the one that JSON-RPC prints', async () => {
    const { port } = await startFront()
    const answer = await send(port, { body: 'secret' })
    expect(answer.text).toBe('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}')
  })

  test('an error has the id of its request when it could be read, and none in sessions without such ids', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const answer = await send(port, { session, body: '{"jsonrpc":"2.0","id":0,"method":7}' })
    expect(JSON.parse(answer.text)).toMatchObject({ id: 0, error: { code: -32600 } })
    expect((await send(port, { session, body: '{' })).text).not.toContain('"id"')
  })

  test('a request of a session that has ended is refused with its own id', async () => {
    const { port } = await startFront()
    const answer = await send(port, { headers: { 'mcp-session-id': 's_ended' }, body: callOf('echo', {}, 'seven') })
    expect(JSON.parse(answer.text)).toMatchObject({ id: 'seven', error: { data: { reason: 'session_unknown' } } })
  })

  test.each(['"result":{},"error":{}', '"more":1'])(
    'a response with %s fails the request that it was to answer',
    async (members) => {
      const { gateway, port } = await startFront()
      const session = gateway.open('2025-11-25')
      const answer = await send(port, { session, body: `{"jsonrpc":"2.0","id":"n-7",${members}}` })
      expect(answer.status).toBe(400)
      expect(gateway.received).toMatchObject([{ kind: 'error', id: '"n-7"', error: { code: -32600 } }])
    },
  )

  test('details of an exception in the gateway are not sent', async () => {
    const { port } = await startFront()
    const answer = await send(port, { body: callOf('throw') })
    expect(answer).toMatchObject({ status: 500, text: expect.stringContaining('Internal error') })
    expect(answer.text).not.toContain('secret')
  })
})

describe('a body beyond the limit', () => {
  test('is refused by the length that it declares', async () => {
    const { port } = await startFront({ limits: { body: 100 } })
    const answer = await send(port, { body: callOf('echo', { message: 'x'.repeat(100) }) })
    expect(answer).toMatchObject({ status: 413, text: expect.stringContaining('at most 100 bytes') })
  })

  test('is refused while it arrives, when it declares no length', async () => {
    const { gateway, port } = await startFront({ limits: { body: 100_000 } })
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const headers = { 'content-type': 'application/json', accept: '*/*', 'transfer-encoding': 'chunked' }
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/mcp', agent: false, headers })
    request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    for (let sent = 0; sent < 20; sent += 1) request.write('x'.repeat(20_000))
    request.end()
    expect(await promise).toBe(413)
    expect(gateway.received).toEqual([])
  })

  test('of exactly the limit is accepted', async () => {
    const body = callOf('echo', { message: 'x' })
    const { gateway, port } = await startFront({ limits: { body: body.length } })
    expect(await send(port, { session: gateway.open('2025-11-25'), body })).toMatchObject({ status: 200 })
    expect(await send(port, { session: gateway.open('2025-11-25'), body: `${body} ` })).toMatchObject({ status: 413 })
  })
})
