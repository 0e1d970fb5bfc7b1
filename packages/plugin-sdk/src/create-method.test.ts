import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createBackend } from './create-backend.ts'
import { createMethod, type Method } from './create-method.ts'
import { createTool } from './create-tool.ts'
import { openBackend, type TestClient } from './testing/index.ts'

const streamed = { options: { stream: true } } as const

function open(...methods: readonly Method[]): Promise<TestClient> {
  return openBackend(createBackend({ name: 'b', methods }))
}

const plus = createMethod({
  name: 'add',
  params: z.tuple([z.number(), z.number()]),
  handler: ([a, b]) => a + b,
})

describe('names', () => {
  it.each(['rpc.extensions', 'rpc.anything', 'tools/call', 'request.cancel'])('%j cannot be used', (name) => {
    expect(() => createMethod({ name, handler: () => 1 })).toThrow('neither MCP nor JSON-RPC')
  })

  it('two methods with one name are refused', () => {
    expect(() => createBackend({ name: 'b', methods: [plus, plus] })).toThrow('every method once, got "add" twice')
  })

  it('are reported by the backend, which does not list them', async () => {
    expect(createBackend({ name: 'b', methods: [plus] }).methods).toEqual(['add'])
    expect(createBackend({ name: 'b' })).not.toHaveProperty('methods')
    const client = await open(plus)
    expect(client.server.capabilities).toEqual({ logging: {} })
    expect(await client.listTools()).toEqual([])
  })
})

describe('params', () => {
  it('are checked against the schema, arrays too', async () => {
    const client = await open(plus)
    expect(await client.callMethod('add', [1, 2])).toBe(3)
    await expect(client.callMethod('add', [1])).rejects.toMatchObject({ code: -32602 })
    await expect(client.callMethod('add', ['1', 2])).rejects.toThrow('The params do not match those of add')
  })

  it('are passed unchanged when there is no schema, and are separate from options', async () => {
    const received: unknown[] = []
    const client = await open(
      createMethod({
        name: 'see',
        handler: (params: JsonValue | undefined, { options }) => void received.push(params, options),
      }),
    )
    expect(await client.callMethod('see', [1, { a: null }], { options: { wish: 'x' } })).toBeNull()
    expect(received).toEqual([[1, { a: null }], { wish: 'x' }])
  })

  it('are an object or an array', () => {
    expect(() => createMethod({ name: 'x', params: z.string(), handler: () => 1 })).toThrow('"object" or "array"')
    const schema = { type: 'object' } as const
    expect(createMethod({ name: 'x', params: schema, handler: (params: JsonValue) => params }).name).toBe('x')
  })
})

describe('results', () => {
  it.each([3, 'text', null, true, [1], { a: 1 }])('may be any JSON: %j', async (value) => {
    const client = await open(
      createMethod({ name: 'now', handler: () => value }),
      createMethod({ name: 'later', handler: async () => value }),
    )
    expect(await client.callMethod('now')).toEqual(value)
    expect(await client.callMethod('later')).toEqual(value)
  })

  it('are an error when the handler throws, or when the value has no JSON form', async () => {
    const client = await open(
      createMethod({ name: 'broken', handler: () => Promise.reject(new Error('no more')) }),
      createMethod({ name: 'odd', handler: () => 1n }),
    )
    await expect(client.callMethod('broken')).rejects.toMatchObject({ code: -32603, message: 'no more' })
    await expect(client.callMethod('odd')).rejects.toMatchObject({ code: -32603 })
    await expect(client.callMethod('absent')).rejects.toMatchObject({ code: -32601 })
  })
})

describe('generators', () => {
  const count = createMethod({
    name: 'count',
    async *handler() {
      yield 1
      yield 2
      return 'end'
    },
  })

  it('send what they yield, and end with what they return', async () => {
    const chunks: unknown[] = []
    const client = await open(count)
    expect(await client.callMethod('count', {}, { ...streamed, onChunk: (data) => chunks.push(data) })).toBe('end')
    expect(chunks).toEqual([1, 2])
    expect(await client.callMethod('count')).toEqual({ chunks: [1, 2], result: 'end' })
  })

  it('stop within one window when they are cancelled without backpressure, and have their return() called', async () => {
    const controller = new AbortController()
    let made = 0
    let finished = false
    const client = await open(
      createMethod({
        name: 'endless',
        async *handler() {
          try {
            for (;;) yield (made += 1)
          } finally {
            finished = true
          }
        },
      }),
    )
    setImmediate(() => {
      made = 0
      controller.abort()
    })
    const call = client.callMethod('endless', {}, { ...streamed, signal: controller.signal })
    await expect(call).rejects.toThrow('The request ended: cancelled')
    expect(finished).toBe(true)
    expect(made).toBeLessThanOrEqual(64)
  })

  it('may acknowledge first', async () => {
    const client = await open(
      createMethod({
        name: 'long',
        async *handler(_: JsonValue | undefined, { exchange }) {
          exchange.ack()
          yield 'a'
        },
      }),
    )
    expect(await client.callMethod('long', {}, streamed)).toBeNull()
  })
})

describe('tools that are generators', () => {
  const inputSchema = z.object({})

  it('stream what they yield; what they return is the rest of the result', async () => {
    const chunks: unknown[] = []
    const tool = createTool({
      metadata: { name: 'story', description: 'x', inputSchema },
      async *handler() {
        yield 'Once '
        yield { type: 'custom/dot' } as const
        return 'The end'
      },
    })
    const client = await openBackend(createBackend({ name: 'b', tools: [tool] }))
    const result = await client.callTool('story', {}, { onChunk: (data) => chunks.push(data) })
    expect(chunks).toEqual(['Once ', { type: 'custom/dot' }])
    expect(result as JsonObject).toEqual({
      content: [
        { type: 'text', text: 'Once ' },
        // In an MCP result, content of a custom type is sent as a resource.
        { type: 'resource', resource: { uri: 'attachment://custom/dot/chunk-0', mimeType: 'custom/dot', text: '{}' } },
        { type: 'text', text: 'The end' },
      ],
    })
  })

  it('need not return anything', async () => {
    const tool = createTool({
      metadata: { name: 'story', description: 'x', inputSchema },
      async *handler() {
        yield 'all'
      },
    })
    const client = await openBackend(createBackend({ name: 'b', tools: [tool] }))
    expect(await client.callTool('story')).toEqual({ content: [{ type: 'text', text: 'all' }] })
  })
})
