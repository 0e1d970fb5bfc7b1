import { expect } from 'vitest'
import type { JsonValue } from '@junctor/jsonrpc'
import { handshakeRevisions } from '../src/cell.ts'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

verifies('MCP-2.1', {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client()
    await one.notify('notifications/nobody-knows-this')
    await one.notify('tools/call', { name: 'demo__echo' })
    await one.send({ jsonrpc: '2.0', id: null, method: 'ping' })
    const { message } = await one.until(({ message: { error } }) => error !== undefined)
    expect(errorOf(message).code).toBe(-32600)
    expect(resultOf(await one.request('ping'))).toEqual({})
    // The handshake, the refusal and the ping: no notification was answered.
    expect(one.received).toHaveLength(3)
  })
})

verifies('MCP-2.2', {}, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client, gateway }) => {
    const one = await client()
    const slow = { name: 'demo__slow', arguments: { ms: 60_000 } }
    // A duplicate is noticed by the node with the first request: there are enough of them that one reaches this node.
    for (let count = 0; count < 1 + gateway.nodes.length; count += 1) {
      await one.send({ jsonrpc: '2.0', id: 'same', method: 'tools/call', params: slow })
    }
    const { message } = await one.until(({ message: { id } }) => id === 'same')
    expect(errorOf(message)).toMatchObject({ code: -32600, data: { reason: 'duplicate_id' } })
    await one.notify('notifications/cancelled', { requestId: 'same' })
    expect(resultOf(await one.request('ping'))).toEqual({})
  })
})

const batch = (): JsonValue => [
  { jsonrpc: '2.0', id: 'a', method: 'ping' },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'demo__echo', arguments: { message: 'hi' } } },
]

verifies(['MCP-2.3', 'MCP-4.3'], { revisions: ['2025-03-26'] }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client()
    await one.send(batch())
    const pong = await one.until(({ message: { id } }) => id === 'a')
    const echo = await one.until(({ message: { id } }) => id === 'b')
    expect(resultOf(pong.message)).toEqual({})
    expect(textOf(echo.message)).toBe('hi')
    await one.send([])
    const empty = await one.until(({ message: { error } }) => error !== undefined)
    expect(errorOf(empty.message).code).toBe(-32600)
  })
})

const others = handshakeRevisions.filter((revision) => revision !== '2025-03-26')

verifies(['MCP-2.3', 'MCP-4.3'], { revisions: others }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client()
    await one.send(batch())
    const { message } = await one.until(({ message: { error } }) => error !== undefined)
    expect(errorOf(message).code).toBe(-32600)
    expect(one.received.filter(({ message: { id } }) => id === 'a' || id === 'b')).toEqual([])
  })
})

verifies('MCP-2.4', { revisions: handshakeRevisions }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ client }) => {
    const one = await client()
    const nameless = await one.request('tools/call', {})
    expect(errorOf(nameless).code).toBe(-32602)
    const unknown = await one.request('no/such/method')
    expect(errorOf(unknown)).toMatchObject({ code: -32601, message: expect.stringContaining('no/such/method') })
    await one.send({ jsonrpc: '1.0', id: 1, method: 'ping' })
    await one.send({ jsonrpc: '2.0', id: { not: 'an id' }, method: 'ping' })
    const { message } = await one.until(
      ({ message: { id, error } }) => error !== undefined && (id === null || id === undefined),
    )
    expect(errorOf(message).code).toBe(-32600)
    expect('id' in message).toBe(cell.revision !== '2025-11-25')
  })
})

verifies('MCP-2.5', {}, async (cell) => {
  await inGateway(cell, { lean: lean() }, async ({ client }) => {
    const one = await client()
    const ids: readonly JsonValue[] = [0, '0', 1, '1', '', -5, 'ü "quoted" \\', 9_007_199_254_740_991]
    for (const id of ids) {
      const response = await one.request('tools/call', { name: 'lean__echo', arguments: { id } }, id)
      expect(response['id']).toBe(id)
      expect(resultOf(response)['structuredContent']).toEqual({ id })
    }
  })
})

verifies('MCP-2.7', {}, async (cell) => {
  await inGateway(cell, { lean: lean() }, async ({ client }) => {
    const one = await client()
    const params = {
      name: 'lean__echo',
      arguments: { text: 'ü\u2028', nested: { deep: [1, null] } },
      'x-own': { a: 1 },
    }
    const response = await one.request('tools/call', params)
    expect(resultOf(response)).toEqual({
      content: [],
      'x-unknown': { kept: true },
      structuredContent: params.arguments,
    })
    const log = textOf(await one.request('tools/call', { name: 'lean__received', arguments: {} }))
    expect(log).toContain('"x-own":{"a":1}')
  })
})

verifies('MCP-2.8', {}, async (cell) => {
  await inGateway(cell, { lean: lean() }, async ({ client }) => {
    const one = await client()
    const own = await one.request('tools/call', { name: 'lean__fail', arguments: { x: 1 }, _meta: { 'a/b': 1 } })
    expect(errorOf(own)).toMatchObject({ code: -31999, message: 'own words', data: { given: { x: 1 } } })
    const gone = await one.request('tools/call', { name: 'lean__exit', arguments: {} })
    expect(errorOf(gone)).toMatchObject({ code: -32000, data: { reason: 'backend_exited', backend: 'lean' } })
  })
})

verifies('MCP-2.9', {}, async (cell) => {
  const config = { limits: { depth: 20, batch: 2 } }
  await inGateway(
    cell,
    { demo: demo() },
    async ({ client }) => {
      const one = await client()
      let deep: JsonValue = 1
      for (let depth = 0; depth < 50; depth += 1) deep = [deep]
      await one.send({ jsonrpc: '2.0', id: 'deep', method: 'ping', params: { deep } })
      await one.send({ jsonrpc: '2.0', id: 'i'.repeat(10_000), method: 'ping' })
      await one.until(() => one.received.filter(({ message: { error } }) => error !== undefined).length === 2)
      const codes = one.received.flatMap(({ message }) =>
        message['error'] === undefined ? [] : [errorOf(message).code],
      )
      expect(codes).toEqual([-32600, -32600])
      expect(resultOf(await one.request('ping'))).toEqual({})
    },
    { config },
  )
})
