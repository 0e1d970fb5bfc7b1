import { hash } from 'node:crypto'
import { once } from 'node:events'
import { eventually } from '@junctor/testkit'
import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import type { GatewayUnderTest } from '../src/gateway-under-test.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { type RawAnswer, rawRequest } from '../src/raw-request.ts'
import { verifies } from '../src/verifies.ts'
import { openWebSocketWire } from '../src/websocket-wire.ts'

// Transports where a connection is the session: HTTP with SSE, and WebSockets.

const backends = { demo: demo() }
const keyOf = (key: string): object => ({ hash: `sha256:${hash('sha256', key, 'hex')}` })
const listen = { http: { port: 0 }, admin: { port: 0, token: 'a-token-for-the-watch' } }
const config = { listen, auth: { apiKeys: { one: keyOf('key-of-one'), two: keyOf('key-of-two') } } }
const own = { authorization: 'Bearer key-of-one' }
const foreign = { authorization: 'Bearer key-of-two' }
const json = { 'content-type': 'application/json' }
const legacy = { ways: ['http'], revisions: ['2024-11-05'] } as const

/** An open stream of HTTP with SSE. */
interface Stream {
  readonly answer: RawAnswer
  /** The events so far. */
  readonly events: () => readonly string[]
  /** The URL for POSTs, from the first event. */
  readonly endpoint: string
}

async function openStream(
  { urls: [url] }: GatewayUnderTest,
  headers: Readonly<Record<string, string>>,
): Promise<Stream> {
  const at = new URL('/sse', url)
  const answer = await rawRequest(at.href, { method: 'GET', headers: { accept: 'text/event-stream', ...headers } })
  let text = ''
  answer.onText((more) => (text += more))
  const events = (): readonly string[] => text.split('\n\n').slice(0, -1)
  await eventually(() => expect(events().length).toBeGreaterThan(0))
  const [, path = ''] = /^event: endpoint\ndata: (.*)$/.exec(events()[0] ?? '') ?? []
  return { answer, events, endpoint: new URL(path, at).href }
}

async function post(url: string, headers: Readonly<Record<string, string>>, message: JsonObject): Promise<RawAnswer> {
  return rawRequest(url, { headers: { ...headers, ...json }, body: JSON.stringify(message) })
}

/**
 * The number of open sessions by transport, from the status of the gateway. Transports without sessions are left out.
 */
async function sessionsOf({ admins: [admin] }: GatewayUnderTest): Promise<unknown> {
  const response = await fetch(`${admin}/status`, { headers: { authorization: 'Bearer a-token-for-the-watch' } })
  const { sessions } = (await response.json()) as { sessions: Readonly<Record<string, number>> }
  return Object.fromEntries(Object.entries(sessions).filter(([, count]) => count > 0))
}

const initialize = (id: number, protocolVersion: string): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'legacy', version: '1' } },
})
const ping = (id: number): JsonObject => ({ jsonrpc: '2.0', id, method: 'ping' })

verifies(['MCP-5.1', 'MCP-5.2', 'MCP-5.5'], legacy, async (cell) => {
  await inGateway(
    cell,
    backends,
    async ({ gateway }) => {
      const stream = await openStream(gateway, own)
      expect(stream.endpoint).toMatch(/[\w-]{43}$/)
      const opened = await post(stream.endpoint, own, initialize(1, cell.revision))
      expect([opened.status, await opened.text()]).toEqual([202, ''])
      await eventually(() => expect(stream.events()).toHaveLength(2))
      expect(stream.events()[1]).toMatch(/^event: message\ndata: \{.*"protocolVersion":"2024-11-05".*\}$/)
      expect((await post(stream.endpoint, own, ping(2))).status).toBe(202)
      await eventually(() => expect(stream.events()[2]).toContain('"result":{}'))
      // Neither another caller nor a guessed endpoint is accepted.
      expect((await post(stream.endpoint, foreign, ping(3))).status).toBe(404)
      expect((await post(stream.endpoint.slice(0, -4), own, ping(4))).status).toBe(404)
      expect((await post(stream.endpoint, {}, ping(5))).status).toBe(401)
      expect(stream.events()).toHaveLength(3)
      expect(await sessionsOf(gateway)).toEqual({ http: 1 })
      // The session ends with the stream, and cannot be resumed.
      stream.answer.drop()
      await eventually(async () => expect((await post(stream.endpoint, own, ping(6))).status).toBe(404))
      await eventually(async () => expect(await sessionsOf(gateway)).toEqual({}))
    },
    { config },
  )
})

verifies('MCP-5.7', legacy, async (cell) => {
  await inGateway(
    cell,
    backends,
    async ({ gateway }) => {
      const stream = await openStream(gateway, own)
      const { pathname, search } = new URL(stream.endpoint)
      // The last node: with two nodes, the stream is on the other one.
      const there = new URL(pathname + search, gateway.urls.at(-1)).href
      expect((await post(there, own, initialize(1, cell.revision))).status).toBe(202)
      await eventually(() => expect(stream.events()).toHaveLength(2))
      expect((await post(there, own, ping(2))).status).toBe(202)
      await eventually(() => expect(stream.events()[2]).toContain('"result":{}'))
      expect((await post(there, foreign, ping(3))).status).toBe(404)
      expect((await post(there.slice(0, -4), own, ping(4))).status).toBe(404)
      const elsewhere = there.replace(/=[^-]+-/, '=nobody00-')
      expect(elsewhere).not.toBe(there)
      expect((await post(elsewhere, own, ping(5))).status).toBe(404)
      expect(stream.events()).toHaveLength(3)
      stream.answer.drop()
      await eventually(async () => expect((await post(there, own, ping(6))).status).toBe(404))
    },
    { config },
  )
})

verifies('MCP-5.3', legacy, async (cell) => {
  await inGateway(
    cell,
    backends,
    async ({ gateway, http }) => {
      const modern = await http({ headers: own })
      const stream = await openStream(gateway, own)
      await post(stream.endpoint, own, initialize(1, cell.revision))
      await eventually(() => expect(stream.events()).toHaveLength(2))
      // Each stream has its own session, which the other cannot use.
      const [url = ''] = gateway.urls
      expect(
        (await post(new URL('/sse', url).href, { ...own, 'mcp-session-id': modern.session ?? '' }, ping(2))).status,
      ).toBe(405)
      expect((await rawRequest(url, { method: 'GET', headers: { ...own, accept: 'text/event-stream' } })).status).toBe(
        400,
      )
      expect((await modern.request('ping'))['result']).toEqual({})
      expect(modern.received.map(({ message }) => message['id'])).not.toContain(1)
      stream.answer.drop()
    },
    { config },
  )
})

verifies('MCP-5.6', { ways: ['websocket'] }, async (cell) => {
  await inGateway(
    cell,
    backends,
    async ({ gateway }) => {
      const [url = ''] = gateway.urls
      const socket = new WebSocket(url.replace('http:', 'ws:'), ['other', 'mcp'])
      const texts: unknown[] = []
      socket.addEventListener('message', ({ data }) => texts.push(data))
      await once(socket, 'open')
      expect(socket.protocol).toBe('mcp')
      socket.send(JSON.stringify(initialize(1, cell.revision)))
      await eventually(() => expect(texts).toHaveLength(1))
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
      socket.send(
        `{"jsonrpc": "2.0",\n "id": 2, "method": "tools/call", "params": {"name": "demo__echo", "arguments": {"message": "a\\nb"}}}`,
      )
      await eventually(() => expect(texts).toHaveLength(2))
      expect(texts.map((text) => JSON.parse(String(text)))).toMatchObject([
        { id: 1, result: { protocolVersion: cell.revision } },
        { id: 2, result: { content: [{ text: 'a\nb' }] } },
      ])
      expect(await sessionsOf(gateway)).toEqual({ websocket: 1 })
      // The connection is the session.
      socket.close()
      await eventually(async () => expect(await sessionsOf(gateway)).toEqual({}))
    },
    { config: { listen } },
  )
})

verifies('MCP-5.6', { ways: ['websocket'] }, async (cell) => {
  await inGateway(
    cell,
    backends,
    async ({ gateway }) => {
      const [url = ''] = gateway.urls
      const upgrade = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16, 'k').toString('base64'),
      }
      const refusal = async (headers: Readonly<Record<string, string>>, at = url): Promise<number> => {
        const answer = await rawRequest(at, { method: 'GET', headers: { ...upgrade, ...headers } })
        await answer.text()
        return answer.status
      }
      expect(await refusal({})).toBe(401)
      expect(await refusal({ authorization: 'Bearer wrong' })).toBe(401)
      // A key in the URL is not accepted.
      expect(await refusal({}, `${url}?access_token=key-of-one`)).toBe(401)
      expect(await refusal({ ...own, origin: 'https://evil.example' })).toBe(403)
      expect(await refusal({ ...own, host: 'evil.example' })).toBe(403)
      expect(await refusal({ ...own, 'sec-websocket-protocol': 'other' })).toBe(400)
      expect(await refusal(own, `${url}/no-such-tenant`)).toBe(404)
    },
    { config },
  )
  await inGateway(cell, backends, async ({ gateway }) => {
    // Invalid JSON is answered, and the connection continues.
    const wire = await openWebSocketWire(gateway.urls[0] as string)
    await wire.send('not a message')
    const { message } = await wire.until(({ message: { error } }) => error !== undefined)
    expect(message).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
    await wire.send(initialize(1, cell.revision))
    await wire.until(({ message: { id } }) => id === 1)
    await wire.close()
  })
})
