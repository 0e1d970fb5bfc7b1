import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, onTestFinished, test } from 'vitest'
import { createAdmission } from '@junctor/connection'
import { silentLog } from '@junctor/contracts'
import { startFront } from '../../test/front-fixture.ts'
import { createFixtureGateway } from '../../test/gateway-fixture.ts'
import { callOf } from '../../test/http-fixture.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { createServing, type Serving } from './serving/serving.ts'

/** A server that answers each request in this way. */
async function startServer(answer: (response: ServerResponse, serving: Serving) => void): Promise<{ port: number }> {
  const serving = createServing({
    front: createFixtureGateway(),
    admission: createAdmission({}),
    limits: undefined,
    log: silentLog,
    publicUrl: undefined,
    shares: undefined,
    prefix: '',
  })
  const { port, close } = await startHttpServer((_request, response) => answer(response, serving))
  onTestFinished(close)
  return { port }
}

/** Sends bytes, and more when `more` resolves, and reads until the server closes the connection. */
async function raw(port: number, bytes: string, more: Promise<string> = Promise.resolve('')): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (chunk: string) => (text += chunk))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => void socket.once('close', resolve))
  await once(socket, 'connect')
  socket.write(bytes)
  socket.write(await more)
  await closed
  return text
}

const limits = { headersTimeoutMs: 100, requestTimeoutMs: 100 }
const head = 'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: */*\r\n'
const head10 = `${head.replace('1.1', '1.0')}connection: keep-alive\r\n`
/** A request that is not read: the connection ends with the answer before. */
const following = `${head}content-length: ${callOf('echo', {}).length}\r\n\r\n${callOf('echo', {})}`

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a body length that is not a number', `${head}content-length: x\r\n\r\n`, 400],
  ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 400],
  ['length and chunks', `${head}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`, 400],
  ['a coding that is not known', `${head}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n${following}`, 501],
  [
    'a coding in two headers',
    `${head}transfer-encoding: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${following}`,
    501,
  ],
  ['chunks of HTTP/1.0', `${head10}transfer-encoding: chunked\r\n\r\n0\r\n\r\n${following}`, 400],
  ['a broken chunk', `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400],
  ['headers without end', `${head}x: ${'x'.repeat(20_000)}`, 431],
  ['headers that do not come', 'POST /mcp HTTP/1.1\r\nhost: localhost\r\n', 408],
  ['a request that does not come', '', 408],
  ['a body that does not come', `${head}content-length: 10\r\n\r\n{`, 408],
])('%s is refused in JSON, and hung up on', async (_name, bytes, status) => {
  const { gateway, port } = await startFront({ limits })
  const answer = await raw(port, bytes)
  const [headers = '', body = ''] = answer.split('\r\n\r\n')
  expect(headers).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(headers).toContain('connection: close')
  expect(headers).toContain(`content-length: ${body.length}`)
  expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
  expect(gateway.received).toEqual([])
})

test('a request without a host is refused like one with a foreign host', async () => {
  const { port } = await startFront()
  const answer = await raw(port, 'DELETE /mcp HTTP/1.1\r\nconnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 403 /)
  expect(answer).toContain('Host is missing')
})

test('a slow request does not take the connections of others', async () => {
  const { port } = await startFront({ limits })
  const slow = Array.from({ length: 20 }, () => raw(port, 'POST /mcp HTTP/1.1\r\n'))
  const body = callOf('echo', {})
  const quick = await raw(port, `${head}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  expect(quick).toMatch(/^HTTP\/1.1 200 /)
  expect(await Promise.all(slow)).toEqual(Array.from({ length: 20 }, () => expect.stringContaining(' 408 ')))
})

test('invalid bytes after a request in progress do not change its answer', async () => {
  const { gateway, port } = await startFront()
  const body = callOf('wait')
  const asked = gateway.round()
  const rubbish = asked.then(() => 'rubbish\r\n\r\n')
  expect(await raw(port, `${head}content-length: ${body.length}\r\n\r\n${body}`, rubbish)).toBe('')
  expect((await asked).ownerCalls).toEqual(['lost'])
})

test('an answer that was given in the turn in which invalid bytes arrive is sent first', async () => {
  const { port } = await startServer((response, serving) => {
    serving.answers.add(response, 200, '{}', undefined)
    answerBrokenRequest(serving, new Error('invalid bytes'), response.socket as Socket)
  })
  const answer = await raw(port, 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 200 [^]*HTTP\/1.1 400 /)
})

test('when there are too many connections, the oldest silent one is closed immediately', async () => {
  const { port } = await startFront({ limits: { connections: 1 } })
  const first = connect(port, '127.0.0.1').resume()
  await once(first, 'connect')
  const closed = once(first, 'close')
  const body = callOf('echo', {})
  const next = await raw(port, `${head}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  expect(next).toMatch(/^HTTP\/1.1 200 /)
  await closed
})
