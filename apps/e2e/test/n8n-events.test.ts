import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { errorOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import { openHttpClient, type WireClient } from '../src/wire-client.ts'

// `get_events` of the profile `n8n`: the events that the caller may see, filtered as its document defines it.

const everywhere = { revisions: ['2024-11-05'] } as const
const system = { config: { profile: 'n8n', server: { name: 'mcp-n8n', version: '0.4.0' } } }

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/

const get = (client: WireClient, query: JsonObject = {}): Promise<JsonObject> =>
  client.request('tools/call', { name: 'get_events', arguments: query })

async function eventsOf(client: WireClient, query?: JsonObject): Promise<readonly JsonObject[]> {
  return JSON.parse(textOf(await get(client, query))) as readonly JsonObject[]
}

const isNoStart = ({ event_type: type }: JsonObject): boolean => type !== 'gateway.backend_started'

/** Makes a call in a trace of the caller. */
function call(client: WireClient, name: string, trace: string, args: JsonObject = {}): Promise<JsonObject> {
  const traceparent = `00-${trace.replaceAll('-', '')}-b7ad6b7169203331-01`
  return client.request('tools/call', { name, arguments: args, _meta: { traceparent } })
}

const good = '0af76519-16cd-43dd-8448-eb211c80319c'
const bad = '1bf76519-16cd-43dd-8448-eb211c80319d'

verifies('A-9', everywhere, async (cell) => {
  await inGateway(
    cell,
    { demo: demo(), lean: lean() },
    async ({ client }) => {
      const one = await client()
      await call(one, 'demo:echo', good, { message: 'a secret that is in no event' })
      await call(one, 'lean:fail', bad)
      const all = await eventsOf(one)
      for (const event of all) {
        expect(Object.keys(event).slice(0, 5)).toEqual(['timestamp', 'trace_id', 'status', 'event_type', 'source'])
        expect(event).toMatchObject({
          timestamp: expect.stringMatching(time),
          trace_id: expect.stringMatching(uuid),
          status: expect.stringMatching(/^(?:success|failure|pending)$/),
          source: 'mcp-n8n',
        })
      }
      const times = all.map(({ timestamp }) => timestamp as string)
      expect(times).toEqual(times.toSorted())
      expect(new Set(all.map(({ event_type: type }) => type))).toEqual(
        new Set(['gateway.started', 'gateway.tool_call', 'gateway.backend_started', 'session.opened']),
      )
      // Reading events or the status produces no event. Meanwhile a node may have started a backend that it needs later.
      expect(JSON.stringify(all)).not.toMatch(/get_events|\$gateway|a secret/)
      expect((await eventsOf(one)).filter(isNoStart)).toEqual(all.filter(isNoStart))
    },
    system,
  )
})

verifies('A-9', everywhere, async (cell) => {
  await inGateway(
    cell,
    { demo: demo(), lean: lean() },
    async ({ client }) => {
      const one = await client()
      await call(one, 'demo:echo', good, { message: 'hi' })
      await call(one, 'lean:fail', bad)
      const calls = await eventsOf(one, { event_type: 'gateway.tool_call' })
      const summary = ({ trace_id: trace, status, tool, backend }: JsonObject) => [trace, status, tool, backend]
      const expected = [
        [good, 'pending', 'demo:echo', 'demo'],
        [good, 'success', 'demo:echo', 'demo'],
        [bad, 'pending', 'lean:fail', 'lean'],
        [bad, 'failure', 'lean:fail', 'lean'],
      ]
      expect(calls.map(summary)).toEqual(expected)
      // The same 128 bits in both notations.
      expect(await eventsOf(one, { trace_id: good })).toEqual(calls.slice(0, 2))
      expect(await eventsOf(one, { trace_id: bad.replaceAll('-', '') })).toEqual(calls.slice(2))
      expect(await eventsOf(one, { trace_id: bad, status: 'failure' })).toEqual(calls.slice(3))
      expect(await eventsOf(one, { event_type: 'gateway.tool_call', status: 'pending' })).toEqual([calls[0], calls[2]])
      // The newest N events, the oldest of them first.
      expect(await eventsOf(one, { event_type: 'gateway.tool_call', limit: 3 })).toEqual(calls.slice(1))
      const since = calls[2]?.['timestamp'] as string
      expect(await eventsOf(one, { event_type: 'gateway.tool_call', since })).toEqual(calls.slice(2))
      for (const span of ['24h', '7d']) {
        expect(await eventsOf(one, { event_type: 'gateway.tool_call', since: span })).toEqual(calls)
      }
      expect(await eventsOf(one, { since: '2999-01-01T00:00:00Z' })).toEqual([])
      expect(await eventsOf(one, { event_type: 'no.such.type' })).toEqual([])
    },
    system,
  )
})

verifies('A-9', everywhere, async (cell) => {
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client }) => {
      const one = await client()
      for (let count = 0; count < 60; count += 1) await one.request('tools/call', { name: 'demo:echo', arguments: {} })
      const calls = { event_type: 'gateway.tool_call' }
      expect(await eventsOf(one, calls)).toHaveLength(100)
      expect(await eventsOf(one, { ...calls, limit: 1000 })).toHaveLength(120)
    },
    system,
  )
})

verifies(['A-3', 'A-9'], everywhere, async (cell) => {
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client }) => {
      const one = await client()
      for (const [name, value] of [
        ['limit', 'many'],
        ['limit', 0],
        ['limit', 1.5],
        ['limit', 1001],
        ['status', 'fine'],
        ['since', 'yesterday'],
        ['since', 7],
        ['trace_id', 'short'],
        ['event_type', 3],
      ] as const) {
        const { code, message } = errorOf(await get(one, { [name]: value }))
        expect([name, code]).toEqual([name, -32602])
        // What was expected, and what was received.
        expect(message).toMatch(new RegExp(`^${name}: expected .+, got ${JSON.stringify(value)}$`))
      }
      for (const name of ['get_events', 'gateway_status']) {
        const refused = errorOf(await one.request('tools/call', { name, arguments: ['x'] }))
        expect(refused).toMatchObject({ code: -32602, message: 'arguments: expected an object, got ["x"]' })
      }
    },
    system,
  )
})

verifies(['A-9', 'A-19'], { ways: ['http'], revisions: ['2024-11-05'] }, async (cell) => {
  const tenants = {
    acme: { profile: 'n8n', backends: ['shared', 'own'] },
    globex: { profile: 'n8n', backends: ['shared'] },
    plain: { profile: 'mcp', backends: ['shared', 'own'] },
  }
  const backends = { shared: demo(), own: demo() }
  await inGateway(
    cell,
    backends,
    async ({ gateway }) => {
      const at = (tenant: string) => ({ urls: gateway.urls.map((url) => `${url}/${tenant}`) })
      const acme = await openHttpClient(at('acme'), cell, { name: 'client of acme' })
      const globex = await openHttpClient(at('globex'), cell, { name: 'client of globex' })
      const plain = await openHttpClient(at('plain'), cell, { name: 'client of plain' })
      try {
        await call(acme, 'own:echo', good)
        await call(plain, 'own__echo', bad)
        await call(plain, 'shared__echo', bad)
        const seen = await eventsOf(globex)
        // Its own session, and the start of the gateway, which every tenant may see.
        expect(seen).toContainEqual(expect.objectContaining({ client: 'client of globex' }))
        expect(seen).toContainEqual(expect.objectContaining({ event_type: 'gateway.started' }))
        expect(seen.filter(({ tenant }) => tenant !== undefined && tenant !== 'globex')).toEqual([])
        expect(JSON.stringify(seen)).not.toMatch(/acme|plain|own|0af76519|1bf76519/)
        expect(await eventsOf(globex, { trace_id: good })).toEqual([])
        expect(await eventsOf(acme, { trace_id: good })).toHaveLength(2)
        expect(JSON.stringify(await eventsOf(acme))).not.toMatch(/globex|plain|1bf76519/)
      } finally {
        await Promise.all([acme.close(), globex.close(), plain.close()])
      }
    },
    { config: { tenants } },
  )
})
