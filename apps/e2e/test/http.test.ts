import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { type RawAnswer, type RawRequest, rawRequest } from '../src/raw-request.ts'
import { handshakeRevisions } from '../src/cell.ts'
import { demo, inGateway, type Scene } from '../src/in-gateway.ts'
import { errorOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'] } as const
const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** Sends the same request to each node, and returns the answer, which must be equal on all nodes. */
async function askAll({ gateway }: Scene, asked: RawRequest): Promise<RawAnswer & { readonly body: string }> {
  const answers = await Promise.all(
    gateway.urls.map(async (url) => {
      const answer = await rawRequest(url, asked)
      return { ...answer, body: await answer.text() }
    }),
  )
  const [first] = answers
  for (const answer of answers) {
    expect({ status: answer.status, body: answer.body }).toEqual({ status: first?.status, body: first?.body })
  }
  return first as RawAnswer & { readonly body: string }
}

verifies('MCP-4.1', http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    for (const method of ['PUT', 'PATCH', 'HEAD', 'PROPFIND', 'TRACE']) {
      const refused = await askAll(scene, { method, headers: usual })
      expect(refused.status).toBe(405)
      expect(refused.headers['allow']).toBe('GET, POST, DELETE, OPTIONS')
    }
    const one = await scene.http({ listens: false })
    expect((await one.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200)
    expect((await one.get()).status).toBe(200)
    expect((await one.delete()).status).toBe(204)
  })
})

verifies('MCP-4.2', http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const post = async (headers: Readonly<Record<string, string>>) =>
      (await askAll(scene, { headers: { ...usual, ...headers }, body: ping })).status
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json-patch+json', '']) {
      expect(await post({ 'content-type': type })).toBe(415)
    }
    for (const accept of ['application/json', 'text/event-stream', 'text/html', '*/*;q=0', '*/*, text/*;q=0']) {
      expect(await post({ accept })).toBe(406)
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect(await post({ 'content-type': type })).toBe(200)
    }
    for (const accept of ['*/*', 'application/*;q=0.1, text/*', 'text/event-stream;q=1.0,application/json;q=0.5']) {
      expect(await post({ accept })).toBe(200)
    }
    const one = await scene.http({ listens: false })
    expect((await one.get({ accept: 'application/json' })).status).toBe(406)
    for (const accept of ['text/*', '*/*;q=0.1', 'text/event-stream;q=0.9']) {
      expect((await one.get({ accept })).status).toBe(200)
    }
  })
})

verifies('MCP-4.4', http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    const headers = { ...usual, 'mcp-session-id': String(one.session) }
    const accepted: readonly JsonObject[] = [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/nobody-knows-this' },
      { jsonrpc: '2.0', id: 'nobody asked this', result: {} },
      { jsonrpc: '2.0', id: 'nor this', error: { code: -1, message: 'no' } },
    ]
    for (const message of accepted) {
      const answer = await askAll(scene, { headers, body: JSON.stringify(message) })
      expect(answer).toMatchObject({ status: 202, body: '' })
      expect(answer.headers['content-length']).toBe('0')
      expect(answer.headers['content-type']).toBeUndefined()
    }
  })
})

const exposed = 'access-control-expose-headers'

verifies('MCP-4.27', http, async (cell) => {
  const origin = 'https://app.example.com'
  const config = { listen: { http: { port: 0, allowedOrigins: [origin] } } }
  await inGateway(
    cell,
    { demo: demo() },
    async (scene) => {
      const asking = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'mcp-session-id',
      }
      const preflight = await askAll(scene, { method: 'OPTIONS', headers: asking })
      expect(preflight).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': origin } })
      for (const verb of ['GET', 'POST', 'DELETE']) {
        expect(preflight.headers['access-control-allow-methods']).toContain(verb)
      }
      for (const name of [
        'mcp-session-id',
        'mcp-protocol-version',
        'last-event-id',
        'authorization',
        'dpop',
        'content-type',
      ]) {
        expect(String(preflight.headers['access-control-allow-headers']).toLowerCase()).toContain(name)
      }
      // Refusals are readable as well.
      const headers = { ...usual, origin, 'mcp-session-id': 'unknown' }
      for (const body of [ping, '{']) {
        const read = await askAll(scene, { headers, body })
        expect(read.headers['access-control-allow-origin']).toBe(origin)
        expect(String(read.headers[exposed]).toLowerCase()).toContain('mcp-session-id')
      }
      const stranger = await askAll(scene, {
        method: 'OPTIONS',
        headers: { ...asking, origin: 'https://evil.example' },
      })
      expect(stranger.status).toBe(403)
      expect(stranger.headers['access-control-allow-origin']).toBeUndefined()
    },
    { config },
  )
})

verifies('MCP-4.26', http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    const headers = { ...usual, 'mcp-session-id': String(one.session) }
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT']) {
      const strangers = [
        { host: 'evil.example' },
        { host: '127.0.0.1.evil.example' },
        { host: 'localhost.' },
        { origin: 'http://evil.example' },
        { origin: 'http://localhost.evil.example' },
        { origin: 'null' },
      ]
      for (const stranger of strangers) {
        const body = method === 'POST' ? ping : ''
        const { status } = await askAll(scene, { method, headers: { ...headers, ...stranger }, body })
        expect({ method, stranger, status }).toEqual({ method, stranger, status: 403 })
      }
    }
    // None of these requests has changed the session.
    const own = { ...headers, host: 'localhost:1', origin: 'http://127.0.0.1:8080' }
    expect((await askAll(scene, { headers: own, body: ping })).status).toBe(200)
  })
})

verifies('MCP-4.25', { ways: ['http'], revisions: handshakeRevisions }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    for (const version of ['1999-01-01', '', 'latest', '2025-11-25 2025-06-18']) {
      const headers = { 'mcp-protocol-version': version }
      expect((await one.post({ jsonrpc: '2.0', id: `bad ${version}`, method: 'ping' }, headers)).status).toBe(400)
    }
    for (const version of handshakeRevisions) {
      const headers = { 'mcp-protocol-version': version }
      expect((await one.post({ jsonrpc: '2.0', id: `good ${version}`, method: 'ping' }, headers)).status).toBe(200)
    }
    expect((await one.post({ jsonrpc: '2.0', id: 'none', method: 'ping' })).status).toBe(200)
    const { message } = await one.until(({ message: { id } }) => id === 'none')
    expect(message['result']).toEqual({})
    const refused = one.received.filter((received) => received.message['error'] !== undefined)
    expect(refused.map((received) => errorOf(received.message).code)).toEqual([-32000, -32000, -32000, -32000])
  })
})
