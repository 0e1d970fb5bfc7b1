import { expect, onTestFinished, test, vi } from 'vitest'
import { startFront } from '../../../test/front-fixture.ts'
import { callOf, start, readAll, send } from '../../../test/http-fixture.ts'

const headers = { accept: 'text/event-stream', 'content-type': undefined }

test('opens the stream of a session', async () => {
  const { gateway, port } = await startFront()
  const session = gateway.open('2025-11-25')
  const response = start(port, { method: 'GET', session, headers })
  const { message, from, sink } = await gateway.round()
  expect(from.session).toBe(session)
  expect(message.params?.value()).toEqual({ lastEventId: null })
  sink.open('s:0')
  void sink.send('{"a":1}', false, 's:1')
  void sink.send('', true)
  expect((await response).headers).toMatchObject({ 'content-type': 'text/event-stream' })
  expect(await readAll(await response)).toBe(
    'id: s:0\nretry: 1000\ndata: \n\nevent: message\nid: s:1\ndata: {"a":1}\n\n',
  )
})

test('opens the stream of a session in lines, for a client that asks for them', async () => {
  const { gateway, port } = await startFront()
  const session = gateway.open('2025-11-25')
  const response = start(port, { method: 'GET', session, headers: { ...headers, accept: 'application/x-ndjson' } })
  const { sink } = await gateway.round()
  sink.open('s:0')
  void sink.send('{"a":1}', false, 's:1')
  expect((await response).headers).toMatchObject({ 'content-type': 'application/x-ndjson' })
  void sink.send('', true)
  expect(await readAll(await response)).toBe('{"a":1}\n')
})

test.each([['s:17'], [''], ['0']])('requests the messages after event %o', async (lastEventId) => {
  const { gateway, port } = await startFront()
  const session = gateway.open('2025-11-25')
  const answer = send(port, { method: 'GET', session, headers: { ...headers, 'last-event-id': lastEventId } })
  const { message, sink } = await gateway.round()
  expect(message.params?.value()).toEqual({ lastEventId })
  void sink.send('{"a":1}', true, 's:18')
  expect(await answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
})

test('an event that the gateway does not know is refused with a plain error', async () => {
  const { gateway, port } = await startFront()
  const session = gateway.open('2025-11-25')
  const answer = send(port, { method: 'GET', session, headers: { ...headers, 'last-event-id': 'foreign:1' } })
  const { sink } = await gateway.round()
  void sink.send('{"error":{}}', true, undefined, 400)
  expect(await answer).toMatchObject({
    status: 400,
    text: '{"error":{}}',
    headers: { 'content-type': 'application/json' },
  })
})

test('a stream ends when its credentials expire, and later messages are not sent', async () => {
  const { gateway, port } = await startFront()
  const session = gateway.open('2025-11-25')
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000)
  onTestFinished(() => clock.mockRestore())
  gateway.expires = 2_000
  const response = start(port, { method: 'GET', session, headers })
  const { sink, ownerCalls } = await gateway.round()
  sink.open('s:0')
  void sink.send('{"a":1}', false, 's:1')
  clock.mockReturnValue(2_000)
  void sink.send('{"b":2}', false, 's:2')
  expect(await readAll(await response)).toBe(
    'id: s:0\nretry: 1000\ndata: \n\nevent: message\nid: s:1\ndata: {"a":1}\n\nretry: 1000\n\n',
  )
  expect(ownerCalls).toEqual(['lost'])
})

test('a client of Java reads no time to wait before reconnecting, neither first nor last', async () => {
  const { gateway, port, front } = await startFront()
  const java = { ...headers, 'user-agent': 'Java-http-client/17.0.9' }
  const response = start(port, { method: 'GET', session: gateway.open('2025-11-25'), headers: java })
  const { sink } = await gateway.round()
  sink.open('s:0')
  void sink.send('{"a":1}', false, 's:1')
  const text = readAll(await response)
  await front.close(60_000)
  expect(await text).toBe('id: s:0\ndata: \n\nevent: message\nid: s:1\ndata: {"a":1}\n\n')
})

test('a silent stream ends as well', async () => {
  const { gateway, port } = await startFront()
  gateway.expires = Date.now() + 1_000
  const response = start(port, { method: 'GET', session: gateway.open('2025-11-25'), headers })
  const { sink } = await gateway.round()
  sink.open()
  expect(await readAll(await response)).toBe('retry: 1000\n\n')
  expect(Date.now()).toBeGreaterThan(gateway.expires - 10)
})

test('a stream in lines ends as well', async () => {
  const { gateway, port } = await startFront()
  gateway.expires = Date.now() + 1_000
  const accept = 'application/x-ndjson'
  const response = start(port, { method: 'GET', session: gateway.open('2025-11-25'), headers: { ...headers, accept } })
  const { sink } = await gateway.round()
  void sink.send('{"a":1}', false)
  expect(await readAll(await response)).toBe('{"a":1}\n')
  expect(Date.now()).toBeGreaterThan(gateway.expires - 10)
})

test('a stream of JSON-RPC 3.0 ends as well: it may be endless', async () => {
  const { gateway, port } = await startFront()
  gateway.expires = Date.now() + 1_000
  const body = '{"jsonrpc":"3.0","id":1,"method":"wait","options":{"stream":true}}'
  const response = start(port, { session: gateway.open('2025-11-25'), body })
  const { sink } = await gateway.round()
  void sink.send('{"a":1}', false)
  expect(await readAll(await response)).toBe('data: {"a":1}\n\nretry: 1000\n\n')
  expect(Date.now()).toBeGreaterThan(gateway.expires - 10)
})

test('the answer to a POST is sent completely: it was requested in time', async () => {
  const { gateway, port } = await startFront()
  gateway.expires = 1
  const response = start(port, { session: gateway.open('2025-11-25'), body: callOf('wait') })
  const { sink } = await gateway.round()
  sink.open()
  void sink.send('{"a":1}', false)
  void sink.send('{"b":2}', true)
  expect(await readAll(await response)).toBe('data: {"a":1}\n\ndata: {"b":2}\n\n')
})

test.each([
  ['without a session', { session: undefined }, 400, 'session_missing'],
  ['of an unknown session', { headers: { ...headers, 'mcp-session-id': 'x' } }, 404, 'session_unknown'],
  ['of a foreign session', { headers: { ...headers, authorization: 'Bearer mallory' } }, 404, 'session_unknown'],
  ['through another tenant', { path: '/mcp/acme' }, 404, 'session_unknown'],
  ['without credentials', { headers: { ...headers, authorization: 'Bearer nobody' } }, 401, 'unauthenticated'],
  ['that does not accept a stream', { headers: { accept: 'application/json' } }, 406, 'not_acceptable'],
  ['of an unknown revision', { headers: { ...headers, 'mcp-protocol-version': '1' } }, 400, 'unsupported_version'],
])('a GET %s is refused', async (_name, bad, status, reason) => {
  const { gateway, port } = await startFront()
  const session = gateway.open('2025-11-25')
  const answer = await send(port, { method: 'GET', session, headers, ...bad })
  expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/json' } })
  expect(answer.text).toContain(reason)
})
