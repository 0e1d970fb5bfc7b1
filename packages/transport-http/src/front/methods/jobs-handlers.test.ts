import { once } from 'node:events'
import { connect } from 'node:net'
import { silentLog } from '@junctor/contracts'
import { payloadOf, printResult } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import { startFront } from '../../../test/front-fixture.ts'
import { callOf, send } from '../../../test/http-fixture.ts'

const path = '/mcp/acme/jobs'
const collectOf = (id: number): string =>
  JSON.stringify({ jsonrpc: '3.0', id, method: 'job.result', params: { authToken: 't' } })
const nobody = { authorization: 'Bearer nobody' }

test('a caller with the token of a job needs no credentials', async () => {
  const { gateway, port } = await startFront()
  const answer = send(port, { path, headers: nobody, body: collectOf(7) })
  const { message, sink } = await gateway.round()
  void sink.send(printResult(message.id, payloadOf({ done: true })), true)
  expect(await answer).toMatchObject({ status: 200, text: '{"jsonrpc":"2.0","id":7,"result":{"done":true}}' })
  expect(gateway.received).toEqual([])
})

describe('a request without a valid token', () => {
  test.each([
    ['a call', callOf('echo', {})],
    ['a batch', `[${collectOf(1)}]`],
    ['a notification', '{"jsonrpc":"3.0","method":"job.result","params":{"authToken":"t"}}'],
    ['no JSON', '{'],
  ])('is judged by its credentials: %s', async (_name, body) => {
    const { gateway, port } = await startFront()
    expect((await send(port, { path, headers: nobody, body })).status).toBe(401)
    expect(gateway.received).toEqual([])
  })

  test('is answered as at the endpoint itself', async () => {
    const { port } = await startFront()
    const answer = await send(port, { path, body: callOf('echo', { message: 'hi' }) })
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('"hi"') })
  })
})

test.each([
  ['415', { headers: { 'content-type': 'text/plain' } }, 415],
  ['406', { headers: { accept: 'text/html' } }, 406],
  ['413', { body: JSON.stringify({ jsonrpc: '3.0', id: 7, method: 'job.result', params: 'x'.repeat(9000) }) }, 413],
  ['403', { headers: { host: 'evil.example' } }, 403],
  ['405', { method: 'GET', body: '' }, 405],
])('a request with wrong headers is %s', async (_name, call, status) => {
  const { gateway, port } = await startFront()
  expect((await send(port, { path, body: collectOf(7), ...call })).status).toBe(status)
  expect(gateway.received).toEqual([])
})

test('one address waits for no more jobs than its share, over any number of connections', async () => {
  const refused = Promise.withResolvers<void>()
  const log = { ...silentLog, debug: (message: string) => void (message.includes('refused') && refused.resolve()) }
  const { gateway, port } = await startFront({ log, limits: { connections: 4, connectionsOfAddress: 2 } })
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: */*\r\n`
  const body = collectOf(7)
  const one = `${head}content-length: ${body.length}\r\n\r\n${body}`
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (chunk: string) => (text += chunk))
  socket.write(`${one}${one}${head}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  const rounds = [await gateway.round(), await gateway.round()]
  await refused.promise
  for (const { message, sink } of rounds) void sink.send(printResult(message.id, payloadOf({})), true)
  await once(socket, 'close')
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 503'])
  // The places of ended waits are free again.
  const again = send(port, { path, body })
  void (await gateway.round()).sink.send('{}', true)
  expect((await again).status).toBe(200)
})

test('clients of a trusted proxy wait for jobs apart', async () => {
  const refused = Promise.withResolvers<void>()
  const log = { ...silentLog, debug: (message: string) => void (message.includes('refused') && refused.resolve()) }
  const { gateway, port } = await startFront({
    log,
    limits: { connections: 9, connectionsOfAddress: 1 },
    listen: { trustedProxies: ['127.0.0.1'] },
  })
  // One connection, as a proxy uses it for all of its clients.
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (chunk: string) => (text += chunk))
  const body = collectOf(7)
  const requestOf = (address: string, more = ''): string =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: */*\r\n${more}` +
    `x-forwarded-for: 198.51.100.1\r\nx-forwarded-for: ${address}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  socket.write(requestOf('203.0.113.7') + requestOf('203.0.113.8'))
  const rounds = [await gateway.round(), await gateway.round()]
  socket.write(requestOf('203.0.113.7', 'connection: close\r\n'))
  await refused.promise
  for (const { message, sink } of rounds.toReversed()) void sink.send(printResult(message.id, payloadOf({})), true)
  await once(socket, 'close')
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 503'])
})
