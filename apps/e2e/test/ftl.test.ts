import type { JsonObject } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import { ask, call, onWire, plugins } from '../src/ftl/on-wire.ts'
import { demo, inGateway, type Scene } from '../src/in-gateway.ts'
import { rawRequest } from '../src/raw-request.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import { openHttpClient, openWire } from '../src/wire-client.ts'

// What the profile `ftl` makes of any backend: the requests and responses of its document, word for word.

const everywhere = { ways: ['http', 'stdio', 'websocket'], revisions: ['2024-11-05'] } as const
const forecast = { forecast: { plugin: 'forecast' } }
const system = { config: { profile: 'ftl' }, plugins }

const initialize =
  '{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"0.1.0","capabilities":{"tools":{}},"clientInfo":{"name":"example-client","version":"1.0.0"}},"id":1}'
const listTools = '{"jsonrpc":"2.0","method":"tools/list","id":2}'
const callWeather =
  '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"weather","arguments":{"location":"San Francisco"}},"id":3}'

const opened = {
  jsonrpc: '2.0',
  result: {
    protocolVersion: '0.1.0',
    capabilities: { tools: {} },
    serverInfo: { name: 'ftl-mcp-gateway', version: '0.1.0' },
  },
  id: 1,
}
const weather = {
  name: 'weather',
  description: 'Get weather information for a location',
  inputSchema: {
    type: 'object',
    properties: { location: { type: 'string', description: 'City name or coordinates' } },
    required: ['location'],
  },
}
const sunny = {
  jsonrpc: '2.0',
  result: { content: [{ type: 'text', text: 'Current weather in San Francisco: 68°F, partly cloudy' }] },
  id: 3,
}
const chart = { type: 'custom/chart', data: [1, 2, 3], metadata: { chartType: 'bar' } }

verifies(['E-2', 'E-3', 'E-4'], everywhere, async (cell) => {
  await onWire(cell, forecast, async (send) => {
    const answer = await send(initialize)
    expect(answer).toEqual(opened)
    expect(Object.keys(answer['result'] as JsonObject)).toEqual(['protocolVersion', 'capabilities', 'serverInfo'])
    const tools = resultOf(await send(listTools))['tools'] as unknown as readonly JsonObject[]
    expect(JSON.stringify(tools[0])).toBe(JSON.stringify(weather))
    expect(tools.map(({ name }) => name)).toEqual(['weather', 'chart', 'pieces', 'slow', 'example'])
    expect(await send(callWeather)).toEqual(sunny)
  })
})

verifies(['E-3', 'E-4'], everywhere, async (cell) => {
  await onWire(cell, forecast, async (send) => {
    // Without `initialize`.
    expect(await send(callWeather)).toEqual(sunny)
    expect(resultOf(await send(listTools))['tools']).toHaveLength(5)
  })
})

verifies(['E-2', 'E-15'], everywhere, async (cell) => {
  await inGateway(
    cell,
    forecast,
    async ({ client }) => {
      // Clients of the official SDKs ask for a newer revision, and take the one they get.
      const one = await client({ revision: '2025-11-25' })
      expect(one.opened).toEqual({ ...opened.result, protocolVersion: '2024-11-05' })
      expect(
        textOf(await one.request('tools/call', call('example', { message: 'Hello' })['params'] as JsonObject)),
      ).toBe('You said: Hello')
    },
    system,
  )
})

verifies('E-8', everywhere, async (cell) => {
  await onWire(cell, forecast, async (send) => {
    expect(resultOf(await send(call('chart')))).toEqual({ content: [chart] })
    expect(resultOf(await send(call('pieces')))).toEqual({
      content: [
        { type: 'custom/chart', data: [1] },
        { type: 'text', text: 'done' },
      ],
    })
  })
  await inGateway(
    cell,
    forecast,
    async ({ client }) => {
      const one = await client()
      const { content } = resultOf(await one.request('tools/call', { name: 'forecast__chart' }))
      const text = '{"data":[1,2,3],"metadata":{"chartType":"bar"}}'
      const resource = { uri: 'attachment://custom/chart/0', mimeType: 'custom/chart', text }
      expect(content).toEqual([{ type: 'resource', resource }])
    },
    { plugins },
  )
})

verifies('E-9', everywhere, async (cell) => {
  await onWire(cell, forecast, async (send) => {
    const refused = async (method: string, params?: JsonObject): Promise<unknown> => {
      const { code, message } = errorOf(
        await send({ jsonrpc: '2.0', id: crypto.randomUUID(), method, ...(params && { params }) }),
      )
      return [code, message]
    }
    expect(await refused('no/such')).toEqual([-32601, 'Method not found'])
    expect(await refused('tools/call', { name: 3 })).toEqual([-32602, expect.stringContaining('"name"')])
    expect(await refused('resources/read', { uri: 'file:///nothing' })).toEqual([-32602, expect.any(String)])
  })
})

verifies(['E-9', 'E-11'], { ...everywhere, ways: ['http'] }, async (cell) => {
  await onWire(cell, forecast, async (_send, { gateway }) => {
    const url = gateway.urls[0] ?? ''
    const post = async (body: string): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', accept: '*/*' }
      const answer = await rawRequest(url, { headers, body })
      expect(answer.headers['content-type']).toBe('application/json')
      return JSON.parse(await answer.text())
    }
    expect(await post('{')).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
    expect(await post('{"jsonrpc":"2.0","id":1}')).toMatchObject({ error: { code: -32600 } })
    expect(
      await post('{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"unknown-tool","arguments":{}}}'),
    ).toEqual({
      jsonrpc: '2.0',
      error: { code: -32001, message: 'Tool not found', data: { tool: 'unknown-tool' } },
      id: 4,
    })
  })
})

verifies(['E-10', 'E-11'], everywhere, async (cell) => {
  await onWire(cell, forecast, async (send) => {
    expect(errorOf(await send(call('unknown-tool')))).toEqual({
      code: -32001,
      message: 'Tool not found',
      data: { tool: 'unknown-tool' },
    })
    const mismatch = errorOf(await send(call('weather', { location: 3 })))
    expect(mismatch).toMatchObject({ code: -32003, data: { tool: 'weather', reason: 'invalid_arguments' } })
    expect(mismatch.message).toMatch(/^Invalid schema: [^]*\/location: must be string \(got 3\)/)
  })
})

verifies('E-16', { ...everywhere, ways: ['http'] }, async (cell) => {
  await onWire(cell, forecast, async (_send, { gateway, http }) => {
    const headers = { 'content-type': 'application/json', accept: '*/*' }
    const slow = JSON.stringify(call('slow'))
    const plain = await rawRequest(gateway.urls[0] ?? '', { headers, body: slow })
    expect(plain.headers['content-type']).toBe('application/json')
    expect(textOf(JSON.parse(await plain.text()) as JsonObject)).toBe('late')
    // Also with a session; a client that names the type of a stream gets one, as ever.
    const one = await http()
    const inSession = { ...headers, 'mcp-session-id': one.session ?? '' }
    for (const [accept, type] of [
      ['*/*', 'application/json'],
      ['application/json, text/event-stream', 'text/event-stream'],
    ] as const) {
      const answer = await rawRequest(gateway.urls[0] ?? '', { headers: { ...inSession, accept }, body: slow })
      expect(answer.headers['content-type']).toBe(type)
      expect(await answer.text()).toContain('late')
    }
  })
})

verifies('E-19', { ways: ['http'], revisions: ['2024-11-05', '2025-11-25'] }, async (cell) => {
  const tenants = { parts: { profile: 'ftl', backends: ['forecast'] }, plain: { backends: ['forecast', 'demo'] } }
  await inGateway(
    cell,
    { ...forecast, demo: demo() },
    async ({ gateway }) => {
      const parts = createWireAt(gateway.urls, 'parts')
      const wire = await openWire(parts, { way: 'http' })
      expect(await ask(wire, initialize)).toMatchObject({
        result: { protocolVersion: '0.1.0', capabilities: { tools: {} } },
      })
      expect(await ask(wire, callWeather)).toEqual(sunny)
      await wire.close()
      const plain = await openHttpClient(createWireAt(gateway.urls, 'plain'), cell)
      expect(plain.opened).toMatchObject({ protocolVersion: cell.revision })
      const unknown = await plain.request('tools/call', { name: 'weather' })
      expect(errorOf(unknown)).toMatchObject({ code: -32602, message: 'Unknown tool: weather' })
      await plain.close()
      const without = await rawRequest(`${gateway.urls[0]}/plain`, {
        headers: { 'content-type': 'application/json', accept: '*/*' },
        body: callWeather,
      })
      expect(without.status).toBe(400)
    },
    { config: { tenants }, plugins },
  )
})

function createWireAt(urls: readonly string[], tenant: string): Scene['gateway'] {
  return { urls: urls.map((url) => `${url}/${tenant}`) } as unknown as Scene['gateway']
}
