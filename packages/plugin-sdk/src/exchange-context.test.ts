import type { Log } from '@junctor/contracts'
import { type JsonObject, parseExactly } from '@junctor/jsonrpc'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { ClientRefusal } from './client-refusal.ts'
import { createBackend } from './create-backend.ts'
import { createTool } from './create-tool.ts'
import type { RequestContext } from './request-context.ts'
import { openBackend, type OpenOptions, type TestClient } from './testing/index.ts'
import { ToolCallFailed } from './tool-call-failed.ts'
import { ToolResponse } from './tool-response.ts'

/** A client of a backend that has one tool with this handler. */
async function open(
  work: (context: RequestContext) => Promise<unknown> | string,
  options?: OpenOptions,
): Promise<TestClient> {
  const tool = createTool({
    metadata: { name: 'tool', description: 'x', inputSchema: z.object({}) },
    handler: async (_input, context) => JSON.stringify((await work(context)) ?? 'nothing'),
  })
  return openBackend(createBackend({ name: 'asking', tools: [tool] }), options)
}

it('the functions of the context work without it', async () => {
  const received: unknown[] = []
  const client = await open(async ({ progress, log, elicit, sample, roots }) => {
    progress(1)
    log('info', 'x')
    return [(await elicit('Well?', z.object({}))).action, (await sample({})).model, (await roots()).length]
  })
  const listen = (params: unknown): unknown => received.push(params)
  const onElicit = (): JsonObject => ({ action: 'decline' })
  const onSample = (): JsonObject => ({ role: 'assistant', content: [], model: 'm' })
  const answers = { onElicit, onSample, onRoots: () => [], onProgress: listen, onLog: listen }
  expect(await client.callTool('tool', {}, answers)).toEqual(ToolResponse.text('["decline","m",0]'))
  expect(received).toHaveLength(2)
})

describe('progress and logging', () => {
  it('progress arrives with the members that are known', async () => {
    const received: unknown[] = []
    const client = await open((context) => {
      context.progress(1)
      context.progress(2, 10)
      context.progress(3, 10, 'soon')
      return ''
    })
    await client.callTool('tool', {}, { onProgress: (progress) => received.push(progress) })
    expect(received).toEqual([{ progress: 1 }, { progress: 2, total: 10 }, { progress: 3, total: 10, message: 'soon' }])
  })

  it('messages carry level, backend and data, and respect the level that was set', async () => {
    const received: unknown[] = []
    const client = await open((context) => {
      context.log('debug', 'a detail')
      context.log('error', { code: 7 })
      return ''
    })
    const onLog = (params: unknown): unknown => received.push(params)
    await client.callTool('tool', {}, { onLog })
    await client.setLogLevel('warning')
    await client.callTool('tool', {}, { onLog })
    expect(received).toEqual([
      { level: 'debug', logger: 'asking', data: 'a detail' },
      { level: 'error', logger: 'asking', data: { code: 7 } },
      { level: 'error', logger: 'asking', data: { code: 7 } },
    ])
  })

  it('the level belongs to one link', async () => {
    const received: unknown[] = []
    const backend = createBackend({
      name: 'two',
      tools: [
        createTool({
          metadata: { name: 'tool', description: 'x', inputSchema: z.object({}) },
          handler(_input, context) {
            context.log('debug', 'a detail')
            return ''
          },
        }),
      ],
    })
    const quiet = await openBackend(backend)
    const curious = await openBackend(backend)
    await quiet.setLogLevel('error')
    await quiet.callTool('tool', {}, { onLog: () => received.push('quiet') })
    await curious.callTool('tool', {}, { onLog: () => received.push('curious') })
    expect(received).toEqual(['curious'])
  })

  it('a level that does not exist is refused', async () => {
    const client = await open(() => '')
    await expect(client.request('logging/setLevel', { level: 'loud' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('debug, info, notice') as string,
    })
  })

  it('a value without a JSON form is an error of the tool', async () => {
    const client = await open((context) => {
      context.log('info', 1n)
      return ''
    })
    expect(await client.callTool('tool')).toMatchObject({ isError: true })
  })
})

describe('asking a person', () => {
  const form = z.object({ name: z.string().describe('Who?'), age: z.int().min(0).max(150).optional() })
  const ask = async (context: RequestContext): Promise<unknown> => {
    const answer = await context.elicit('Tell me', form)
    expectTypeOf(answer).toEqualTypeOf<
      | { readonly action: 'accept'; readonly content: { name: string; age?: number | undefined } }
      | { readonly action: 'decline' }
      | { readonly action: 'cancel' }
    >()
    return answer
  }

  it('sends a form that every revision can show', async () => {
    let asked: unknown
    const client = await open(ask)
    await client.callTool('tool', {}, { onElicit: (params) => ((asked = params), { action: 'decline' }) })
    expect(asked).toEqual({
      message: 'Tell me',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'Who?' },
          age: { type: 'integer', minimum: 0, maximum: 150 },
        },
        required: ['name'],
      },
    })
  })

  it.each([[{ action: 'accept', content: { name: 'Ada', age: 36 } }], [{ action: 'decline' }], [{ action: 'cancel' }]])(
    'gives the answer: %j',
    async (answer) => {
      const client = await open(ask)
      expect(await client.callTool('tool', {}, { onElicit: () => answer })).toEqual(
        ToolResponse.text(JSON.stringify(answer)),
      )
    },
  )

  it('accepts a JSON Schema', async () => {
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
    const client = await open((context) => context.elicit('Sure?', schema))
    const onElicit = async (): Promise<{ action: string; content: { ok: boolean } }> => ({
      action: 'accept',
      content: { ok: true },
    })
    expect(await client.callTool('tool', {}, { onElicit })).toEqual(
      ToolResponse.text('{"action":"accept","content":{"ok":true}}'),
    )
  })

  it.each([z.object({ who: z.object({ name: z.string() }) }), z.object({ who: z.array(z.object({})) })])(
    'a form with objects is not sent, and the error names the member: %j',
    async (nested) => {
      const client = await open(async (context) => (await context.elicit('Who?', nested)).action)
      const onElicit = (): never => expect.fail('asked')
      expect(await client.callTool('tool', {}, { onElicit })).toEqual(
        ToolResponse.error(
          'Expected text, numbers, true or false, and choices in a form, got objects in "who": ask for their members instead',
        ),
      )
    },
  )

  it.each([
    [{ action: 'accept', content: { name: 7 } }, '- /name: expected string (got 7)'],
    [{ action: 'accept' }, '- /name: expected string (got nothing)'],
    [
      { action: 'perhaps' },
      'The client answered elicitation/create with something that the specification does not know',
    ],
  ])('an invalid answer rejects: %j', async (answer, reason) => {
    const client = await open(ask)
    const { content, isError } = await client.callTool('tool', {}, { onElicit: () => answer })
    expect(isError).toBe(true)
    expect(content).toMatchObject([{ text: expect.stringContaining(reason) as string }])
  })
})

describe('numbers that JavaScript would change', () => {
  const big = 9007199254740993n
  const exact = (text: string): JsonObject => parseExactly(text) as JsonObject

  it('of a form reject, and say which', async () => {
    const form = z.object({ id: z.number() })
    const client = await open((context) => context.elicit('Which?', form))
    const { content, isError } = await client.callTool(
      'tool',
      {},
      { onElicit: () => exact(`{"action":"accept","content":{"id":${big}}}`) },
    )
    expect(isError).toBe(true)
    expect(content).toMatchObject([
      { text: expect.stringContaining(`- /id: ${big} would become ${big - 1n}`) as string },
    ])
  })

  it('pass from tool to tool with fetch, both ways', async () => {
    const client = await open(async ({ fetch }) => {
      const answer = await fetch('http://orders.spin.internal/', { method: 'POST', body: `{"id":${big}}` })
      return answer.text()
    })
    const onCallTool = (_name: string, input: JsonObject): ToolResponse => {
      expect(JSON.stringify(input)).toBe(`{"id":${big}}`)
      return { content: [], structuredContent: exact(`{"next":${big + 2n}}`) }
    }
    const { content = [] } = await client.callTool('tool', {}, { onCallTool })
    expect((content[0] as { text: string }).text).toContain(`{\\"next\\":${big + 2n}}`)
  })

  it('pass from tool to tool when the first one keeps them', async () => {
    const first = createTool({
      metadata: { name: 'first', description: 'x', inputSchema: { type: 'object' } },
      exactNumbers: true,
      handler: (input, { callTool }) => callTool('b:second', input),
    })
    const client = await openBackend(createBackend({ name: 'a', tools: [first] }))
    const onCallTool = (_name: string, input: JsonObject): string => JSON.stringify(input)
    expect(await client.callTool('first', exact(`{"id":${big}}`), { onCallTool })).toEqual(
      ToolResponse.text(`{"id":${big}}`),
    )
  })
})

describe('asking the client', () => {
  it('for an answer of its model', async () => {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 }
    const answer = { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'small' }
    let asked: unknown
    const client = await open((context) => context.sample(params))
    const result = await client.callTool('tool', {}, { onSample: (given) => ((asked = given), answer) })
    expect(asked).toEqual(params)
    expect(result).toEqual(ToolResponse.text(JSON.stringify(answer)))
  })

  it('for its roots', async () => {
    const roots = [{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }]
    const client = await open((context) => context.roots())
    expect(await client.callTool('tool', {}, { onRoots: () => roots })).toEqual(
      ToolResponse.text(JSON.stringify(roots)),
    )
  })

  it('an answer that the specification does not allow is an error', async () => {
    const client = await open((context) => context.sample({}))
    expect(await client.callTool('tool', {}, { onSample: () => ({}) })).toMatchObject({ isError: true })
  })

  const asks = {
    elicitation: (context: RequestContext) => context.elicit('?', z.object({})),
    sampling: (context: RequestContext) => context.sample({}),
    roots: (context: RequestContext) => context.roots(),
  }

  it.each(Object.entries(asks))('a client without %s is not asked', async (_, ask) => {
    let asked = 0
    const received = (): never => (asked += 1) as never
    const client = await open(
      (given) => ask(given).catch((error: unknown) => error instanceof ClientRefusal && error.code),
      { context: { client: { info: {}, capabilities: {} } } },
    )
    const result = await client.callTool('tool', {}, { onElicit: received, onSample: received, onRoots: received })
    expect(result).toEqual(ToolResponse.text('-32601'))
    expect(asked).toBe(0)
  })

  it.each(Object.entries(asks))(
    "when the client refuses %s, a ClientRefusal is thrown, which becomes the tool's error",
    async (_, ask) => {
      const client = await open(ask)
      expect(await client.callTool('tool')).toEqual(
        ToolResponse.error(
          expect.stringMatching(/^No answer to [a-z]+\/[a-zA-Z]+: The client does not support/) as string,
        ),
      )
    },
  )
})

it('a handler can read the client, the options and the exchange', async () => {
  const client = await open((context) =>
    JSON.stringify([context.client.info, context.options, context.exchange.attempt]),
  )
  expect(await client.callTool('tool', {}, { options: { lang: 'de' } })).toEqual(
    ToolResponse.text(JSON.stringify('[{"name":"test","version":"0.0.0"},{"lang":"de"},1]')),
  )
})

it('the signal aborts when the request is cancelled, and no failure is logged', async () => {
  const errors: string[] = []
  const quiet = (): void => undefined
  const log: Log = { debug: quiet, info: quiet, warn: quiet, error: (message) => errors.push(message) }
  const tool = createTool({
    metadata: { name: 'tool', description: 'x', inputSchema: z.object({}) },
    handler: (_input, { signal }) =>
      new Promise<string>((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error(String(signal.reason)))),
      ),
  })
  const client = await openBackend(createBackend({ name: 'b', tools: [tool], log }))
  const controller = new AbortController()
  const call = client.callTool('tool', {}, { signal: controller.signal })
  controller.abort()
  await expect(call).rejects.toThrow('The request ended: cancelled')
  expect(errors).toEqual([])
})

describe('calls of other tools', () => {
  it('get the result, also one that says that the tool failed', async () => {
    const client = await open(async (context) => [
      await context.callTool('sky:forecast', { days: 3 }),
      await context.callTool('sky:broken'),
    ])
    const onCallTool = (name: string, input: object): string => {
      if (name === 'sky:broken') throw new Error('no satellite')
      return `${name} ${JSON.stringify(input)}`
    }
    const { content = [] } = await client.callTool('tool', {}, { onCallTool })
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual([
      { content: [{ type: 'text', text: 'sky:forecast {"days":3}' }] },
      { content: [{ type: 'text', text: 'no satellite' }], isError: true },
    ])
  })

  it('throw when there is no result, with the reason', async () => {
    let thrown: unknown
    const client = await open(async (context) => {
      await context.callTool('sky:nothing').catch((error: unknown) => (thrown = error))
    })
    await client.callTool('tool')
    expect(thrown).toBeInstanceOf(ToolCallFailed)
    expect(thrown).toMatchObject({
      reason: 'unknown_tool',
      message: 'No result of sky:nothing: Unknown tool: sky:nothing',
    })
  })

  it('are cancelled with their signal', async () => {
    const client = await open(async (context) => {
      const controller = new AbortController()
      const call = context.callTool('sky:slow', {}, { signal: controller.signal })
      controller.abort()
      return call.catch((error: unknown) => (error as ToolCallFailed).reason)
    })
    const onCallTool = () => new Promise<string>(() => {})
    const { content } = await client.callTool('tool', {}, { onCallTool })
    expect(content).toEqual([{ type: 'text', text: '"cancelled"' }])
  })
})
