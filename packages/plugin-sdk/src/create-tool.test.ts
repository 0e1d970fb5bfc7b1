import { type JsonObject, parseExactly } from '@junctor/jsonrpc'
import { silentLog } from '@junctor/contracts'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import * as z from 'zod'
import { createBackend } from './create-backend.ts'
import { createTool, type Tool } from './create-tool.ts'
import { openBackend, type TestClient } from './testing/index.ts'
import { toContent, ToolResponse } from './tool-response.ts'

async function open(...tools: readonly Tool[]): Promise<TestClient> {
  return openBackend(createBackend({ name: 'tools', tools }))
}

const nothing = z.object({})

describe('the definition that clients receive', () => {
  it('is the metadata with JSON Schemas in place of zod', async () => {
    const annotations = { readOnlyHint: true }
    const client = await open(
      createTool({
        metadata: {
          name: 'a.tool_1-x',
          title: 'A',
          description: 'Does it',
          inputSchema: z.object({ n: z.number().describe('How many') }),
          outputSchema: { type: 'object', 'x-own': 1 },
          annotations,
          _meta: { 'example.com/a': 1 },
        },
        handler: () => ToolResponse.json({}),
      }),
    )
    expect(await client.listTools()).toEqual([
      {
        name: 'a.tool_1-x',
        title: 'A',
        description: 'Does it',
        inputSchema: {
          type: 'object',
          properties: { n: { type: 'number', description: 'How many' } },
          required: ['n'],
        },
        outputSchema: { type: 'object', 'x-own': 1 },
        annotations,
        _meta: { 'example.com/a': 1 },
      },
    ])
  })

  it.each(['', 'with space', 'a:b', 'ä', 'x'.repeat(129)])('a name that clients refuse is refused: %j', (name) => {
    const metadata = { name, description: 'x', inputSchema: nothing }
    expect(() => createTool({ metadata, handler: () => '' })).toThrow('expected a tool name')
  })

  it.each(['inputSchema', 'outputSchema'] as const)('an invalid %s is refused when the tool is created', (member) => {
    const metadata = { name: 'x', description: 'x', inputSchema: nothing, [member]: { type: 'string' } }
    expect(() => createTool({ metadata, handler: () => ToolResponse.text('') })).toThrow(
      `${member} of tool x must have type "object"`,
    )
  })
})

describe('arguments', () => {
  it('have the type that zod infers', async () => {
    const client = await open(
      createTool({
        metadata: {
          name: 'typed',
          description: 'x',
          inputSchema: z.object({ a: z.string(), b: z.number().default(1), c: z.boolean().optional() }),
        },
        handler(input) {
          expectTypeOf(input).toEqualTypeOf<{ a: string; b: number; c?: boolean | undefined }>()
          return JSON.stringify(input)
        },
      }),
    )
    expect(await client.callTool('typed', { a: 'x', odd: 1 })).toEqual(ToolResponse.text('{"a":"x","b":1}'))
  })

  it('are an object where a JSON Schema describes them', async () => {
    const client = await open(
      createTool({
        metadata: { name: 'json', description: 'x', inputSchema: { type: 'object', required: ['a'] } },
        handler: (input) => JSON.stringify(input['a']),
      }),
    )
    expect(await client.callTool('json', { a: [1] })).toEqual(ToolResponse.text('[1]'))
    expect(await client.callTool('json')).toEqual(
      ToolResponse.error("The arguments do not match the schema of json:\n- must have required property 'a'"),
    )
  })

  it('may be left out when none is required', async () => {
    const client = await open(
      createTool({
        metadata: { name: 'x', description: 'x', inputSchema: nothing },
        handler: (input) => JSON.stringify(input),
      }),
    )
    expect(await client.request('tools/call', { name: 'x' })).toEqual(ToolResponse.text('{}'))
  })

  describe('that do not match', () => {
    const handler = vi.fn<() => string>(() => 'never')
    const strict = createTool({
      metadata: { name: 'strict', description: 'x', inputSchema: z.object({ n: z.number() }) },
      handler,
    })
    const reason = 'The arguments do not match the schema of strict:\n- /n: expected number (got "1")'

    it.each(['2025-11-25', '2026-07-28'] as const)('are a tool error from 2025-11-25 on: %s', async (revision) => {
      const client = await openBackend(createBackend({ name: 'b', tools: [strict] }), { context: { revision } })
      expect(await client.callTool('strict', { n: '1' })).toEqual(ToolResponse.error(reason))
      expect(handler).not.toHaveBeenCalled()
    })

    it.each(['2024-11-05', '2025-03-26', '2025-06-18'] as const)('are -32602 before: %s', async (revision) => {
      const client = await openBackend(createBackend({ name: 'b', tools: [strict] }), { context: { revision } })
      await expect(client.callTool('strict', { n: '1' })).rejects.toMatchObject({
        code: -32602,
        message: reason,
        data: { reason: 'invalid_arguments', tool: 'strict' },
      })
      expect(handler).not.toHaveBeenCalled()
    })
  })
})

describe('structured answers', () => {
  const sum = createTool({
    metadata: {
      name: 'sum',
      description: 'x',
      inputSchema: z.object({ answer: z.unknown() }),
      outputSchema: z.object({ sum: z.number(), unit: z.string().default('m') }),
    },
    handler: ({ answer }) => answer as { structuredContent: { sum: number } },
  })

  it('are parsed by the output schema, and repeated as text for clients that read only text', async () => {
    const client = await open(sum)
    expect(await client.callTool('sum', { answer: ToolResponse.json({ sum: 3, secret: 'x' }) })).toEqual({
      content: [{ type: 'text', text: '{"sum":3,"unit":"m"}' }],
      structuredContent: { sum: 3, unit: 'm' },
    })
  })

  it('keep the text that their author gave them', async () => {
    const client = await open(sum)
    const answer = { ...ToolResponse.text('three'), structuredContent: { sum: 3 } }
    expect(await client.callTool('sum', { answer })).toMatchObject(ToolResponse.text('three'))
  })

  it('may be an error instead', async () => {
    const client = await open(sum)
    expect(await client.callTool('sum', { answer: ToolResponse.error('no') })).toEqual(ToolResponse.error('no'))
  })

  it.each([
    ['that do not match', ToolResponse.json({ sum: 'x' }), '- /sum: expected number (got "x")'],
    ['that are missing', ToolResponse.text('3'), '- expected object (got nothing)'],
    ['that are text', '3', '- expected object (got nothing)'],
    ['that are missing after pieces', ToolResponse.stream(async function* () {}), '- expected object (got nothing)'],
  ])('%s are an error, because clients would refuse them', async (_, answer, problem) => {
    const client = await open(sum)
    expect(await client.callTool('sum', { answer })).toEqual(
      ToolResponse.error(`The answer of the tool does not match its outputSchema:\n${problem}`),
    )
  })

  it('need no output schema', async () => {
    const client = await open(
      createTool({
        metadata: { name: 'free', description: 'x', inputSchema: nothing },
        handler: () => ToolResponse.json({ any: 1 }),
      }),
    )
    expect(await client.callTool('free')).toEqual({
      content: [{ type: 'text', text: '{"any":1}' }],
      structuredContent: { any: 1 },
    })
  })

  it('may be those of an error, for which the schema is not checked', async () => {
    const client = await open(sum)
    expect(await client.callTool('sum', { answer: { isError: true, structuredContent: { why: 'x' } } })).toEqual({
      content: [{ type: 'text', text: '{"why":"x"}' }],
      structuredContent: { why: 'x' },
      isError: true,
    })
  })

  it('that are empty objects get an empty list of content', async () => {
    const client = await open(
      createTool({ metadata: { name: 'empty', description: 'x', inputSchema: nothing }, handler: () => ({}) }),
    )
    expect(await client.callTool('empty')).toEqual({ content: [] })
  })

  it('that are arrays are sent as text', async () => {
    const client = await open(
      createTool({
        metadata: { name: 'list', description: 'x', inputSchema: nothing },
        handler: () => ToolResponse.json([1, 2]),
      }),
    )
    expect(await client.callTool('list')).toEqual(ToolResponse.text('[1,2]'))
  })

  it('are checked against the output schema by the type checker', () => {
    const metadata = { name: 'x', description: 'x', inputSchema: nothing, outputSchema: z.object({ sum: z.number() }) }
    // @ts-expect-error -- text
    createTool({ metadata, handler: () => ToolResponse.json({ sum: '3' }) })
    // @ts-expect-error -- not structured
    createTool({ metadata, handler: () => ToolResponse.text('3') })
    expect(createTool({ metadata, handler: async () => ToolResponse.error('3') }).name).toBe('x')
  })
})

describe('answers of authors without types', () => {
  async function answerOf(handler: () => unknown): Promise<unknown> {
    const metadata = { name: 'free', description: 'x', inputSchema: nothing }
    const client = await open(createTool({ metadata, handler: handler as () => string }))
    return client.callTool('free')
  }

  it('are waited for, also when the promise is of another library', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- as builders of queries are
    const query = { then: (resolve: (text: string) => void) => resolve('found') }
    expect(await answerOf(() => query)).toEqual(ToolResponse.text('found'))
  })

  it.each<[string, () => unknown, string]>([
    [
      'data',
      () => ({ degrees: 5 }),
      'text, or a ToolResponse such as ToolResponse.json({ … }), got an object with degrees',
    ],
    ['pieces that are none', () => ToolResponse.stream(numbers), 'pieces of text or content, got 5'],
  ])('are refused when they are %s', async (_, handler, problem) => {
    expect(await answerOf(handler)).toEqual(
      ToolResponse.error(`Expected the handler of tool free to answer with ${problem}`),
    )
  })
})

async function* numbers(): AsyncGenerator<never, void> {
  yield 5 as never
}

describe('streamed answers', () => {
  it('are sent piece by piece: text as text, a block as a block, several as a list', async () => {
    const chunks: unknown[] = []
    const client = await open(
      createTool({
        metadata: { name: 'mixed', description: 'x', inputSchema: nothing },
        handler: () =>
          ToolResponse.stream(async function* () {
            yield 'a'
            yield 'b'
            yield { type: 'custom/dot' } as const
            yield ToolResponse.of('c', 'd')
          }),
      }),
    )
    const result = await client.callTool('mixed', {}, { onChunk: (data) => chunks.push(data) })
    const [c, d] = [
      { type: 'text', text: 'c' },
      { type: 'text', text: 'd' },
    ]
    expect(chunks).toEqual(['a', 'b', { type: 'custom/dot' }, [c, d]])
    // In an MCP result, content of a custom type is sent as a resource.
    const dot = { uri: 'attachment://custom/dot/chunk-0', mimeType: 'custom/dot', text: '{}' }
    expect(result.content).toEqual([{ type: 'text', text: 'ab' }, { type: 'resource', resource: dot }, c, d])
  })

  it('stop when the request ends, and the return() of the generator is called', async () => {
    const controller = new AbortController()
    let finished = false
    const client = await open(
      createTool({
        metadata: { name: 'endless', description: 'x', inputSchema: nothing },
        handler: () =>
          ToolResponse.stream(async function* () {
            try {
              for (;;) yield 'more'
            } finally {
              finished = true
            }
          }),
      }),
    )
    const call = client.callTool('endless', {}, { signal: controller.signal, onChunk: () => controller.abort() })
    await expect(call).rejects.toThrow('The request ended: cancelled')
    expect(finished).toBe(true)
  })

  it('that fail half-way are an error', async () => {
    const client = await open(
      createTool({
        metadata: { name: 'broken', description: 'x', inputSchema: nothing },
        handler: () =>
          ToolResponse.stream(async function* () {
            yield 'one'
            throw new Error('no more')
          }),
      }),
    )
    expect(await client.callTool('broken')).toEqual({
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'no more' },
      ],
      isError: true,
    })
  })
})

describe('numbers that JavaScript would change', () => {
  const schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
  const metadata = { name: 'a', description: 'x', inputSchema: schema }
  const exact = (text: string): JsonObject => parseExactly(text) as JsonObject

  it('are refused with the place, and the handler is not called', async () => {
    const handler = vi.fn<() => string>(() => '')
    const client = await open(createTool({ metadata, handler }))
    const { isError, content } = await client.callTool('a', exact('{"id":9007199254740993,"x":[{"a/b":-1e999}]}'))
    expect(isError).toBe(true)
    expect(content).toEqual([
      {
        type: 'text',
        text: [
          'The arguments of a have numbers that would not arrive:',
          '- /id: 9007199254740993 would become 9007199254740992; send it as a string if a string is accepted there',
          '- /x/0/a~1b: -1e999 is too large; send it as a string if a string is accepted there',
        ].join('\n'),
      },
    ])
    const digits = '1234567890'.repeat(10)
    expect(await client.callTool('a', exact(`{"id":${digits}}`))).toMatchObject({
      content: [{ text: expect.stringContaining('/id: a number of 100 characters would become') as string }],
    })
    expect(handler).not.toHaveBeenCalled()
  })

  it('reach a handler that keeps them, and the schemas see numbers', async () => {
    const client = await open(
      createTool({
        metadata: { ...metadata, outputSchema: schema },
        exactNumbers: true,
        handler: (input) => ({ content: toContent(JSON.stringify(input)), structuredContent: input }),
      }),
    )
    const { content, structuredContent } = await client.callTool('a', exact('{"id":9007199254740993}'))
    expect(content).toEqual([{ type: 'text', text: '{"id":9007199254740993}' }])
    expect(structuredContent).toEqual({ id: Number('9007199254740993') })
    expect(await client.callTool('a', exact('{"id":9007199254740993.5e-3}'))).toMatchObject({
      content: [{ text: expect.stringContaining('/id: must be integer (got 9007199254740.994)') as string }],
    })
    expect(await client.callTool('a', exact('{"id":1,"b":1e400}'))).toMatchObject({
      content: [{ text: expect.stringContaining('/b: 1e400 is too large') as string }],
    })
  })

  it('cannot be kept with a schema of zod, which makes another value', () => {
    const zod = { ...metadata, inputSchema: z.object({ id: z.number() }) }
    expect(() => createTool({ metadata: zod, exactNumbers: true, handler: () => '' })).toThrow(
      'expected JSON Schemas for tool a, because it has exactNumbers, and got one of zod',
    )
  })
})

describe('a pattern that cannot be matched in linear time', () => {
  const inputSchema = { type: 'object', properties: { a: { pattern: '^(?=a)' } } }
  const definition = { metadata: { name: 'odd', description: 'x', inputSchema }, handler: () => 'done' }

  it("is refused in an author's schema", () => {
    expect(() => createTool(definition)).toThrow(
      'inputSchema of tool odd cannot be used: the pattern ^(?=a) cannot be matched in linear time: it has (?=',
    )
  })

  it('is logged once, and not checked, in a foreign schema', async () => {
    const logged: unknown[] = []
    const client = await open(createTool(definition, { log: { ...silentLog, warn: (...line) => logged.push(line) } }))
    expect(await client.callTool('odd', { a: 'b' })).toEqual({ content: [{ type: 'text', text: 'done' }] })
    expect(logged).toEqual([
      ['a pattern of a schema is not checked', { tool: 'odd', pattern: '^(?=a)', why: 'it has (?=' }],
    ])
  })
})
