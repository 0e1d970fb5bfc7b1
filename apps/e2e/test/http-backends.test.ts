import { expect } from 'vitest'
import { openEvents, routes, sendEvent, startScriptedServer, statusOnly } from '@junctor/testkit'
import { type HttpBackend, startHttpBackend } from '../fixtures/http-backend.ts'
import { startSseBackend } from '../fixtures/sse-backend.ts'
import type { Cell } from '../src/cell.ts'
import { inGateway } from '../src/in-gateway.ts'
import { errorOf, namesOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import type { WireClient } from '../src/wire-client.ts'

const call = (client: WireClient, name: string, args = {}) =>
  client.request('tools/call', { name: `hand__${name}`, arguments: args })

/** Runs a gateway in front of a server by hand, which is closed with the gateway. */
async function inFrontOf(
  cell: Cell,
  answers: 'json' | 'events',
  body: (backend: HttpBackend, client: WireClient) => Promise<void>,
): Promise<void> {
  const backend = await startHttpBackend({ answers })
  try {
    await inGateway(cell, { hand: backend.entry }, async ({ client }) => body(backend, await client()))
  } finally {
    await backend.close()
  }
}

const sentCalls = ({ received }: HttpBackend): number =>
  received.filter(({ body }) => body['method'] === 'tools/call').length

for (const answers of ['json', 'events'] as const) {
  verifies('MCP-4.5', {}, async (cell) => {
    await inFrontOf(cell, answers, async (_backend, one) => {
      expect(namesOf(await one.request('tools/list'))).toEqual(['hand__echo', 'hand__resumable', 'hand__cut'])
      expect(textOf(await call(one, 'echo', { answers }))).toBe(JSON.stringify({ answers }))
    })
  })
}

verifies('MCP-4.19', {}, async (cell) => {
  await inFrontOf(cell, 'events', async (backend, one) => {
    expect(textOf(await call(one, 'resumable', { kept: 1 }))).toBe('{"kept":1}')
    expect(sentCalls(backend)).toBe(1)
    const lost = await call(one, 'cut')
    expect(errorOf(lost)).toMatchObject({ code: -32000, data: { reason: 'backend_exited', backend: 'hand' } })
    expect(sentCalls(backend)).toBe(2)
    // The session still works.
    expect(textOf(await call(one, 'echo', { after: true }))).toBe('{"after":true}')
  })
})

verifies('MCP-4.23', {}, async (cell) => {
  await inFrontOf(cell, 'json', async (backend, one) => {
    const { resources } = resultOf(await one.request('resources/list')) as unknown as { resources: { uri: string }[] }
    await one.request('resources/subscribe', { uri: resources[0]?.uri ?? '' })
    await one.request('logging/setLevel', { level: 'error' })
    await call(one, 'echo')
    await expect.poll(() => [...backend.methodsBySession.values()].flat()).toContain('logging/setLevel')
    const sessions = backend.methodsBySession.size
    backend.forget()
    expect(textOf(await call(one, 'echo', { again: true }))).toBe('{"again":true}')
    const [renewed = []] = [...backend.methodsBySession.values()].slice(sessions)
    expect(renewed.slice(0, 2)).toEqual(['initialize', 'notifications/initialized'])
    expect(renewed.slice(2, 4).toSorted()).toEqual(['logging/setLevel', 'resources/subscribe'])
    expect(renewed.slice(4)).toContain('tools/call')
    // What the resource was meanwhile is unknown.
    await expect.poll(() => one.messagesOf('notifications/resources/updated')).toHaveLength(1)
    // The client has noticed nothing else: its own session is unchanged.
    expect(resultOf(await one.request('ping'))).toEqual({})
  })
})

verifies('MCP-1.7', {}, async (cell) => {
  const backend = await startHttpBackend({ answers: 'json' })
  await inGateway(cell, { hand: backend.entry }, async ({ client }) => {
    await call(await client(), 'echo')
  })
  const ended = backend.received.filter(({ method }) => method === 'DELETE')
  expect(new Set(ended.map(({ headers }) => headers['mcp-session-id']))).toEqual(
    new Set(backend.methodsBySession.keys()),
  )
  await expect.poll(() => backend.sockets).toBe(0)
  await backend.close()
})

verifies('MCP-5.2', {}, async (cell) => {
  const stranger = await startScriptedServer(statusOnly(202))
  const elsewhere = await startScriptedServer(
    routes({
      GET(_request, response) {
        openEvents(response)
        sendEvent(response, { event: 'endpoint', data: `${stranger.origin}/messages` })
      },
      POST: statusOnly(405),
    }),
  )
  const entry = { url: `${elsewhere.origin}/sse`, headers: { 'x-secret': 'for one origin only' } }
  await inGateway(cell, { hand: entry }, async ({ client }) => {
    const lost = await call(await client(), 'echo')
    expect(errorOf(lost)).toMatchObject({ code: -32000, data: { reason: 'backend_unavailable', backend: 'hand' } })
  })
  expect(elsewhere.received.some(({ method }) => method === 'GET')).toBe(true)
  expect(stranger.received).toEqual([])
  await Promise.all([stranger.close(), elsewhere.close()])
})

verifies('MCP-5.4', {}, async (cell) => {
  const backend = await startSseBackend()
  await inGateway(cell, { hand: backend.entry }, async ({ client }) => {
    const one = await client()
    expect(namesOf(await one.request('tools/list'))).toEqual(['hand__echo', 'hand__hang'])
    expect(textOf(await call(one, 'echo', { over: 'sse' }))).toBe('{"over":"sse"}')
  })
  await backend.close()
})

verifies('MCP-5.5', {}, async (cell) => {
  const backend = await startSseBackend()
  await inGateway(cell, { hand: backend.entry }, async ({ client }) => {
    const one = await client()
    const hanging = [call(one, 'hang'), call(one, 'hang')]
    await expect.poll(() => backend.calls).toEqual(['hang', 'hang'])
    backend.cut()
    for (const lost of await Promise.all(hanging)) {
      expect(errorOf(lost)).toMatchObject({ code: -32000, data: { reason: 'backend_exited', backend: 'hand' } })
    }
    // A new stream is a new session; a lost request is not sent again.
    expect(textOf(await call(one, 'echo', { again: true }))).toBe('{"again":true}')
    expect(backend.calls).toEqual(['hang', 'hang', 'echo'])
  })
  await backend.close()
})
