import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startFront } from '../../test/front-fixture.ts'
import { type Call, callOf, send } from '../../test/http-fixture.ts'

// A request that is refused by its headers is refused in the version that its body declares, as far as it is known.

const threeOf = (id: number | null, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '3.0', id, method: 'add', params })

const refusals: readonly (readonly [string, Omit<Call, 'body'> & { readonly bodyBytes?: number }, number])[] = [
  ['401', { headers: { authorization: 'Bearer nobody' } }, 401],
  ['403 for its host', { headers: { host: 'evil.example' } }, 403],
  ['403 for its origin', { headers: { origin: 'https://evil.example' } }, 403],
  ['404 for its tenant', { path: '/mcp/nobody' }, 404],
  ['404, where there is no endpoint', { path: '/elsewhere' }, 404],
  ['404 below the endpoint', { path: '/mcp/acme/a/b' }, 404],
  ['400 for its target', { path: '/mcp/%zz' }, 400],
  ['404 for its session', { headers: { 'mcp-session-id': 's_ended' } }, 404],
  ['406', { headers: { accept: 'text/html' } }, 406],
  ['413', { bodyBytes: 10_000 }, 413],
  ['413, come out while it was read', { bodyBytes: 9000, headers: chunked() }, 413],
  ['415 for its type', { headers: { 'content-type': 'text/plain' } }, 415],
  ['415 for its encoding', { headers: { 'content-encoding': 'gzip' } }, 415],
  ['400 for its revision', { headers: { 'mcp-protocol-version': '1999-01-01' } }, 400],
  ['405', { method: 'PUT' }, 405],
]

/** A message of this version, with or without an id, of at least this many bytes. */
function messageOf(jsonrpc: string, id: number | undefined, bytes = 0): string {
  return JSON.stringify({ jsonrpc, ...(id !== undefined && { id }), method: 'add', params: { x: 'x'.repeat(bytes) } })
}

test.each(refusals)('%s of a request is answered in its version', async (_name, { bodyBytes, ...call }, status) => {
  const { gateway, port } = await startFront({ limits: { body: 8500 } })
  const three = await send(port, { body: messageOf('3.0', 7, bodyBytes), ...call })
  expect(three.status).toBe(status)
  expect(JSON.parse(three.text)).toMatchObject({
    jsonrpc: '3.0',
    id: 7,
    error: { code: expect.any(Number), title: expect.any(String), message: expect.any(String) },
  })
  const two = await send(port, { body: messageOf('2.0', 7, bodyBytes), ...call })
  expect(two.status).toBe(status)
  expect(JSON.parse(two.text)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } })
  expect(two.text).not.toContain('title')
  expect(gateway.received).toEqual([])
})

const first = ['401', '403 for its host', '403 for its origin', '404, where there is no endpoint', '405']

test.each(refusals.filter(([name]) => first.includes(name)))(
  '%s has no id for a client that names a revision without null ids',
  async (_name, { bodyBytes: _bytes, ...call }, status) => {
    const { port } = await startFront()
    const errorIn = async (revision: string): Promise<object> => {
      const headers = { ...call.headers, 'mcp-protocol-version': revision }
      const answer = await send(port, { ...call, body: messageOf('2.0', 7), headers })
      expect(answer.status).toBe(status)
      return JSON.parse(answer.text) as object
    }
    expect(await errorIn('2025-06-18')).toMatchObject({ id: null })
    for (const revision of ['2025-11-25', '2026-07-28']) {
      // oxlint-disable-next-line no-await-in-loop -- one answer after the other is easier to read in a failure
      expect(await errorIn(revision)).not.toHaveProperty('id')
    }
  },
)

// Whether a message that is not read completely has an id is unknown.
const read = refusals.filter(([, { bodyBytes }]) => bodyBytes === undefined)

test.each(read)('%s of a notification is answered by the status alone', async (_name, call, status) => {
  const { gateway, port } = await startFront()
  for (const version of ['3.0', '2.0']) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await send(port, { body: messageOf(version, undefined), ...call })
    expect(answer).toMatchObject({ status, text: '', headers: { 'content-length': '0' } })
  }
  expect(gateway.received).toEqual([])
})

describe('a refusal of JSON-RPC 3.0', () => {
  test('has the headers of its challenge', async () => {
    const { port } = await startFront()
    const answer = await send(port, { headers: { authorization: 'Bearer nobody' }, body: threeOf(7) })
    expect(answer.headers['www-authenticate']).toBe('Bearer resource_metadata="https://gw.example.com/x"')
    expect(JSON.parse(answer.text)).toMatchObject({ error: { data: { reason: 'unauthenticated' } } })
  })

  test.each([
    ['a batch', `[${threeOf(7)},${threeOf(8)}]`],
    ['an id after too many bytes', `{"jsonrpc":"3.0","params":"${'x'.repeat(20_000)}","method":"add","id":7}`],
  ])('%s is refused without an id', async (_name, body) => {
    const { port } = await startFront()
    const answer = await send(port, { headers: { authorization: 'Bearer nobody' }, body })
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '3.0', id: null, error: { title: expect.any(String) } })
  })
})

test.each([
  ['a notification', '{"jsonrpc":"3.0","method":"notifications/x","params":null}'],
  ['an answer', '{"jsonrpc":"3.0","id":7,"result":1}'],
  ['a batch of nothing else', '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"3.0","method":"b"}]'],
])('for %s, which expects no answer, the challenge is the whole answer', async (_name, body) => {
  const { port } = await startFront()
  const answer = await send(port, { headers: { authorization: 'Bearer nobody' }, body })
  expect(answer).toMatchObject({ status: 401, text: '' })
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer /)
})

test('refused notifications of known callers are counted', async () => {
  const { gateway, port } = await startFront()
  await send(port, { headers: { accept: 'text/html' }, body: messageOf('3.0', undefined) })
  expect(gateway.ignored).toEqual(['add'])
})

test.each([
  ['a request of 2.0', callOf('echo', {})],
  ['no JSON', 'secret'],
  ['a version elsewhere than at its top', '{"params":{"jsonrpc":"3.0"}}'],
  ['a version that comes too late', `{"id":7,"params":"${'x'.repeat(20_000)}","jsonrpc":"3.0"}`],
  ['nothing', ''],
])('%s is refused in 2.0', async (_name, body) => {
  const { port } = await startFront()
  const answer = await send(port, { headers: { authorization: 'Bearer nobody' }, body })
  expect(answer.status).toBe(401)
  expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: null })
  expect(answer.text).not.toContain('title')
})

describe('a body that does not arrive', () => {
  const head = 'POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer nobody\r\nconnection: close\r\n'

  /** Sends bytes, then nothing, and reads the answer. */
  async function answerTo(port: number, bytes: string): Promise<{ text: string; ms: number }> {
    const began = performance.now()
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    socket.write(bytes)
    let text = ''
    socket.on('data', (chunk: string) => (text += chunk))
    await once(socket, 'close')
    return { text, ms: performance.now() - began }
  }

  test('is not waited for', async () => {
    const { port } = await startFront()
    const { text, ms } = await answerTo(port, `${head}content-length: 1000\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1.1 401 /)
    expect(text).toContain('"jsonrpc":"2.0"')
    expect(ms).toBeLessThan(5000)
  })

  test('is classified by the bytes that have arrived', async () => {
    const { port } = await startFront()
    const { text } = await answerTo(port, `${head}content-length: 1000\r\n\r\n{"jsonrpc":"3.0","method":"x"`)
    expect(text).toMatch(/^HTTP\/1.1 401 /)
    expect(text).toContain('"jsonrpc":"3.0","id":null')
  })

  test('is classified by small pieces', async () => {
    const { port } = await startFront()
    const pieces = Array.from(threeOf(7), (letter) => `1\r\n${letter}\r\n`).join('')
    const { text } = await answerTo(port, `${head}transfer-encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`)
    expect(text).toContain('"jsonrpc":"3.0","id":7')
  })
})

test('the next request on the connection is read normally', async () => {
  const { port } = await startFront()
  const body = threeOf(7, { message: 'x'.repeat(100_000) })
  const next = callOf('echo', { message: 'next' })
  const headers = 'host: localhost\r\ncontent-type: application/json\r\naccept: */*\r\n'
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.write(
    `POST /mcp HTTP/1.1\r\n${headers}authorization: Bearer nobody\r\ncontent-length: ${body.length}\r\n\r\n${body}` +
      `POST /mcp HTTP/1.1\r\n${headers}connection: close\r\ncontent-length: ${next.length}\r\n\r\n${next}`,
  )
  let text = ''
  socket.on('data', (chunk: string) => (text += chunk))
  await once(socket, 'close')
  expect(text).toMatch(/^HTTP\/1.1 401 [^]*"id":7[^]*HTTP\/1.1 200 [^]*"next"/)
})

function chunked(): Record<string, string> {
  return { 'transfer-encoding': 'chunked' }
}
