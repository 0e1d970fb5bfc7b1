import { describe, expect, it, test } from 'vitest'
import { z as old } from 'zod/v3'
import * as z from 'zod'
import { createBackend } from './create-backend.ts'
import { createMethod } from './create-method.ts'
import { createPrompt } from './create-prompt.ts'
import { createResource } from './create-resource.ts'
import { createTool } from './create-tool.ts'
import { openBackend } from './testing/open-backend.ts'
import { assertWellBehaved } from './testing/assert-well-behaved.ts'

// Misuse by authors without types, or with casts: TypeScript would refuse it.
const any = (value: unknown): never => value as never
const annotations = { readOnlyHint: true }
const metadata = { name: 't', description: 'd', inputSchema: { type: 'object' }, annotations }

const answers: readonly (readonly [unknown, string])[] = [
  [undefined, 'nothing'],
  [null, 'null'],
  [5, '5'],
  [true, 'true'],
  [[{ type: 'text', text: 'a' }], 'a list'],
  [{ content: 'text' }, 'an object with content'],
]

describe('a handler of a tool', () => {
  it.each<[object, string]>([
    [Buffer.from('text'), 'an instance of Buffer'],
    [new Map([['a', 1]]), 'an instance of Map'],
    [new Date(0), 'an instance of Date'],
    [new URL('http://a.example'), 'an instance of URL'],
  ])('that answers with %s, which has nothing of an answer, gets an error and no empty result', async (answer, got) => {
    const tool = createTool({ metadata, handler: () => any(answer) })
    const client = await openBackend(createBackend({ name: 'b', tools: [tool] }))
    const text = `Expected the handler of tool t to answer with text, or a ToolResponse such as ToolResponse.json({ … }), got ${got}`
    expect(await client.callTool('t')).toEqual({ content: [{ type: 'text', text }], isError: true })
  })

  it.each(answers)('that answers with %j gets an error that names the mistake', async (answer, got) => {
    for (const given of [answer, Promise.resolve(answer)]) {
      const backend = createBackend({ name: 'b', tools: [createTool({ metadata, handler: () => any(given) })] })
      // oxlint-disable-next-line no-await-in-loop
      const client = await openBackend(backend)
      const text = `Expected the handler of tool t to answer with text, or a ToolResponse such as ToolResponse.json({ … }), got ${got}`
      // oxlint-disable-next-line no-await-in-loop
      expect(await client.callTool('t')).toEqual({ content: [{ type: 'text', text }], isError: true })
      // oxlint-disable-next-line no-await-in-loop
      await expect(assertWellBehaved(backend)).rejects.toThrow(`tool t: ${text}`)
    }
  })

  it('without a readOnlyHint is not run by assertWellBehaved', async () => {
    let runs = 0
    const tool = createTool({
      metadata: { ...metadata, annotations: {} },
      handler: () => {
        runs += 1
        return 'x'
      },
    })
    await assertWellBehaved(createBackend({ name: 'b', tools: [tool] }))
    expect(runs).toBe(0)
  })
})

test.each(answers.filter(([answer]) => !Array.isArray(answer)))(
  'a handler of a prompt that answers with %j gets an error that names the mistake',
  async (answer, got) => {
    const prompt = createPrompt({ name: 'p', description: 'd', handler: () => any(Promise.resolve(answer)) })
    const backend = createBackend({ name: 'b', prompts: [prompt] })
    const text = `Expected the handler of prompt p to answer with text or a list of messages, got ${got}`
    await expect((await openBackend(backend)).getPrompt('p')).rejects.toThrow(text)
    await expect(assertWellBehaved(backend)).rejects.toThrow(text)
  },
)

test('a resource whose read returns a number gets an error that names the mistake', async () => {
  const backend = createBackend({
    name: 'b',
    resources: [createResource({ uri: 'x://a', name: 'a', read: () => any(5) })],
  })
  const text = 'Expected the handler of resource x://a to answer with text, bytes, a list of contents or nothing, got 5'
  await expect((await openBackend(backend)).readResource('x://a')).rejects.toThrow(text)
  await expect(assertWellBehaved(backend)).rejects.toThrow(text)
})

test.each<[string, () => unknown]>([
  ['tool t to have a function "handler", got nothing', () => createTool(any({ metadata }))],
  ['prompt p to have a function "handler", got a string', () => createPrompt(any({ name: 'p', handler: 'x' }))],
  ['resource a to have a function "read", got nothing', () => createResource(any({ uri: 'x://a', name: 'a' }))],
  ['method m to have a function "handler", got null', () => createMethod(any({ name: 'm', handler: null }))],
  ['resource a to have "uri" or "uriTemplate", got neither', () => createResource(any({ name: 'a', read: () => '' }))],
  [
    'resource a to have "uri" or "uriTemplate", got both',
    () => createResource(any({ name: 'a', uri: 'x://a', uriTemplate: 'x://{a}', read: () => '' })),
  ],
])('a definition without what it needs is refused: %s', (message, create) => {
  expect(create).toThrow(`expected ${message}`)
})

test.each<[unknown, string]>([
  [{ name: 't', inputSchema: {}, handler: () => 'x' }, 'got an object with name, inputSchema, handler'],
  [{ metadata: 't', handler: () => 'x' }, 'got an object with metadata, handler'],
  ['t', 'got a string'],
  [undefined, 'got nothing'],
])('a tool without metadata is refused with an explanation of what to write: %j', (definition, got) => {
  const expected = 'expected createTool({ metadata: { name, description, inputSchema }, handler })'
  expect(() => createTool(any(definition))).toThrow(`${expected}, ${got}`)
})

test.each<[unknown, string]>([
  [old.object({ a: old.string() }), 'got one of zod 3'],
  [{ a: old.string() }, 'got an object of schemas (a, …): write z.object({ a: … })'],
  [{ a: z.string() }, 'got an object of schemas (a, …): write z.object({ a: … })'],
  [undefined, 'got nothing'],
  [5, 'got 5'],
])('an unusable schema is refused with an explanation of what to write: %#', (inputSchema, message) => {
  const create = () => createTool({ metadata: any({ ...metadata, inputSchema }), handler: () => 'x' })
  expect(create).toThrow('inputSchema of tool t cannot be used: expected a schema of zod 4 or a JSON Schema')
  expect(create).toThrow(message)
})

it.each([
  [Promise.resolve(() => undefined), 'an instance of Promise'],
  ['stop', 'a string'],
])('subscribe of a resource that returns %s, and no function, is told so', async (returned, got) => {
  const resource = createResource({ uri: 'x://r', name: 'r', read: () => '', subscribe: () => any(returned) })
  const client = await openBackend(createBackend({ name: 'b', resources: [resource] }))
  const expected = 'subscriptions to x://r to answer with a function that ends the subscription'
  await expect(client.subscribe('x://r')).rejects.toThrow(`Expected the handler of ${expected}, got ${got}`)
})

it.each([
  ['Ada', 'a string'],
  [7, '7'],
  [['Ada', 7], '7'],
  [[undefined], 'nothing'],
])('complete that returns %j gets an error that names the mistake', async (returned, got) => {
  const prompt = createPrompt({
    name: 'p',
    description: 'd',
    arguments: { who: { complete: () => any(returned) } },
    handler: () => '',
  })
  const client = await openBackend(createBackend({ name: 'b', prompts: [prompt] }))
  const message = `Expected the handler of completions of who to answer with a list of texts, got ${got}`
  await expect(client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'who', value: '' })).rejects.toThrow(message)
})

it.each([
  [{ tools: { t: {} } }, 'expected "tools" to be a list, got an object with t'],
  [{ tools: [{ name: 't' }] }, 'expected "tools" to be made with createTool, got an object with name'],
  [{ resources: 'r' }, 'expected "resources" to be a list, got a string'],
  [{ prompts: [undefined] }, 'expected "prompts" to be made with createPrompt, got nothing'],
])('a backend of %j is refused with what was expected', (offer, message) => {
  expect(() => createBackend({ name: 'b', ...(offer as object) })).toThrow(message)
})

const uriAndRead = { uri: 'x://a', read: () => '' }

test.each<[() => unknown, string]>([
  [
    () => createResource(any({ metadata: { name: 'a' }, ...uriAndRead })),
    'expected createResource({ name, uri, read }), got an object with metadata, uri, read',
  ],
  [() => createResource(any('a')), 'expected createResource({ name, uri, read }), got a string'],
  [
    () => createPrompt(any({ metadata: { name: 'p' }, handler: () => '' })),
    'expected createPrompt({ name, description, arguments, handler }), got an object with metadata, handler',
  ],
  [
    () => createMethod(any({ name: '', handler: () => 1 })),
    'expected createMethod({ name, params, handler }), got an object with name, handler',
  ],
  [
    () => createPrompt(any({ name: 'p', description: 'd', arguments: [{ name: 'style' }], handler: () => '' })),
    'expected the arguments of prompt p as an object: { style: { required: true } }, got a list',
  ],
])('a definition in the form of another SDK is refused with an explanation of what to write', (create, message) => {
  expect(create).toThrow(message)
})
