import type { Backend, Link } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { payloadOf, type JsonObject } from '@junctor/jsonrpc'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createBackend } from '../create-backend.ts'
import { createPrompt } from '../create-prompt.ts'
import { createResource } from '../create-resource.ts'
import { createTool } from '../create-tool.ts'
import { assertWellBehaved } from './assert-well-behaved.ts'

/** A backend that was not made with this SDK, with the given defects. */
function foreign(overrides: Partial<Link>, capabilities: JsonObject = {}): Backend {
  const closed = Promise.withResolvers<undefined>()
  const link: Link = {
    server: { revision: '2025-11-25', capabilities, info: { name: 'foreign', version: '1' }, instructions: undefined },
    list: async () => [],
    call: () => ({ kind: 'error', error: { code: -32601, message: 'No' } }),
    notify: () => undefined,
    closed: closed.promise,
    close: async () => closed.resolve(undefined),
    ...overrides,
  }
  return { name: 'foreign', correlates: true, open: async () => link, close: async () => undefined }
}

function listing(kind: string, ...items: readonly JsonObject[]): Partial<Link> {
  return { list: async (asked) => (asked === kind ? items.map((item) => payloadOf(item)) : []) }
}

const fine = { name: 'a', description: 'A', inputSchema: { type: 'object' } }
const ok: Outcome = { kind: 'complete', result: payloadOf({}) }

it('a well-behaved backend passes, and is closed', async () => {
  let closed = 0
  const backend = createBackend({
    name: 'good',
    tools: [
      createTool({
        metadata: { name: 'slow', description: 'x', inputSchema: z.object({ ms: z.number() }) },
        handler: (_input, { signal }) =>
          new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
      }),
    ],
    resources: [createResource({ uri: 'x://a', name: 'a', read: () => 'a' })],
    prompts: [createPrompt({ name: 'p', description: 'p', handler: () => 'p' })],
    close: () => void (closed += 1),
  })
  await expect(
    assertWellBehaved(backend, { slowCall: { tool: 'slow', arguments: { ms: 1 } } }),
  ).resolves.toBeUndefined()
  expect(closed).toBe(1)
})

describe('lists', () => {
  it.each<[string, Partial<Link>, string]>([
    ['a name', listing('tools', { ...fine, name: 'a b' }), 'tool "a b": expected a name of 1 to 128'],
    ['no name', listing('tools', { ...fine, name: undefined }), 'tool undefined: expected a name'],
    ['a name twice', listing('tools', fine, fine), 'tool "a": expected it once in the list'],
    ['no description', listing('tools', { ...fine, description: ' ' }), 'tool "a": expected a description'],
    ['no schema', listing('tools', { ...fine, inputSchema: undefined }), 'tool "a": inputSchema must be a JSON Schema'],
    [
      'a schema of text',
      listing('tools', { ...fine, outputSchema: { type: 'string' } }),
      'outputSchema must be a JSON',
    ],
    [
      'a schema of an old dialect',
      listing('tools', {
        ...fine,
        inputSchema: { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' },
      }),
      'inputSchema must be of https://json-schema.org/draft/2020-12/schema, got "http://json-schema.org/draft-07',
    ],
    [
      'a schema that is not valid',
      listing('tools', { ...fine, inputSchema: { type: 'object', required: 'a' } }),
      'inputSchema is not a valid JSON Schema: ',
    ],
    ['a prompt without description', listing('prompts', { name: 'p' }), 'prompt "p": expected a description'],
    ['no URI', listing('resourceTemplates', { name: 'r', uriTemplate: '/a' }), 'resource "/a": expected a URI'],
    ['a resource without name', listing('resources', { uri: 'x://a' }), 'resource "x://a": expected a name'],
  ])('a list item that clients would refuse is reported: %s', async (_, overrides, problem) => {
    await expect(assertWellBehaved(foreign(overrides))).rejects.toThrow(problem)
  })
})

describe('answers', () => {
  const all = { tools: {}, resources: {}, prompts: {} }

  it('a result for an unknown item is reported, for each kind that is offered', async () => {
    const problems = assertWellBehaved(foreign({ call: () => ok }, all))
    await expect(problems).rejects.toThrow(
      /an unknown method: expected an error, got .*\n.*an unknown tool: .*\n.*an unknown resource: .*\n.*an unknown prompt: /,
    )
    await expect(assertWellBehaved(foreign({ call: () => ok }))).rejects.not.toThrow('an unknown tool')
  })

  it('a call that throws instead of answering is reported', async () => {
    const call = (): never => {
      throw new Error('broken')
    }
    await expect(assertWellBehaved(foreign({ call }))).rejects.toThrow(
      'an unknown method: expected an error answer, got broken',
    )
  })

  it('a tool that works without its required arguments is reported', async () => {
    const strict = { ...fine, inputSchema: { type: 'object', required: ['x'] } }
    await expect(assertWellBehaved(foreign({ ...listing('tools', strict), call: () => ok }))).rejects.toThrow(
      'tool a without arguments: expected an error',
    )
  })

  it('a resource that is listed and cannot be read is reported', async () => {
    const gone = createResource({ uri: 'x://a', name: 'a', read: () => undefined })
    const empty = createResource({ uri: 'x://b', name: 'b', read: () => [{ uri: 'x://b' }] })
    const problems = assertWellBehaved(createBackend({ name: 'b', resources: [gone, empty] }))
    await expect(problems).rejects.toThrow(
      /x:\/\/a: expected contents, got Resource not found.*\n.*x:\/\/b: expected text/,
    )
  })

  it('a call that continues after it was cancelled is reported', async () => {
    const deaf = createTool({
      metadata: { name: 'deaf', description: 'x', inputSchema: z.object({}) },
      handler: () => new Promise<string>(() => undefined),
    })
    const backend = createBackend({ name: 'b', tools: [deaf] })
    await expect(assertWellBehaved(backend, { slowCall: { tool: 'deaf' } })).rejects.toThrow(
      'tool deaf: expected it to stop when cancelled, and it went on',
    )
  })

  it('a close that fails is reported', async () => {
    const backend = foreign({ close: () => Promise.reject(new Error('stuck')) })
    await expect(assertWellBehaved(backend)).rejects.toThrow('expected to be closed, twice, and got stuck')
  })
})

describe('links', () => {
  it('a list that changes without a notification is reported', async () => {
    let count = 0
    const list: Link['list'] = async (kind) =>
      kind === 'tools' ? [payloadOf({ ...fine, name: `tool${(count += 1)}` })] : []
    await expect(assertWellBehaved(foreign({ list }))).rejects.toThrow('tools: expected the same list twice')
  })

  it('a list that changes with a notification is fine', async () => {
    const backend = createBackend({ name: 'b', tools: [] })
    const tool = createTool({
      metadata: { name: 'one', description: 'x', inputSchema: z.object({}) },
      handler: () => 'ok',
    })
    const opened: Backend = {
      ...backend,
      async open(...given) {
        const link = await backend.open(...given)
        setImmediate(() => backend.replace({ tools: [tool] }))
        return link
      },
    }
    await expect(assertWellBehaved(opened)).resolves.toBeUndefined()
  })

  it('a link that is never closed, and that works when it is closed, is reported', async () => {
    const deaf = foreign({ closed: new Promise(() => undefined), call: () => ok })
    await expect(assertWellBehaved(deaf)).rejects.toThrow(/expected "closed" to resolve.*\n.*for a call on a closed/)
  })

  it('a link that closes the others is reported', async () => {
    let isOver = false
    const backend = foreign({
      list: async () => {
        if (isOver) throw new Error('gone')
        return []
      },
      close: async () => void (isOver = true),
    })
    await expect(assertWellBehaved(backend)).rejects.toThrow('expected a link to stay when another closes, got gone')
  })

  it('an open that ignores its signal is reported', async () => {
    const backend = foreign({})
    const open: Backend['open'] = (scope, client, signal) =>
      signal.aborted ? new Promise(() => undefined) : backend.open(scope, client, signal)
    await expect(assertWellBehaved({ ...backend, open })).rejects.toThrow('expected an open to end when its signal')
  })

  it('a server without capabilities is reported', async () => {
    const server = { revision: 'new', info: { name: 'a' } } as unknown as Link['server']
    const problems = assertWellBehaved(foreign({ server }))
    await expect(problems).rejects.toThrow(/expected a revision of MCP, got new\n.*an object as capabilities/)
  })
})

describe('calls', () => {
  const output = { type: 'object', properties: { days: { type: 'number' } }, required: ['days'] }
  const answering = (result: JsonObject): Partial<Link> => ({
    ...listing('tools', { ...fine, outputSchema: output }),
    call: ({ params }) =>
      (params?.value() as JsonObject | undefined)?.['name'] === 'a'
        ? { kind: 'complete', result: payloadOf(result) }
        : { kind: 'error', error: { code: -32601, message: 'No' } },
  })
  const calls = [{ tool: 'a' }]

  it.each<[string, JsonObject, string]>([
    ['none', { content: [] }, 'tool a: expected structuredContent, because it has an outputSchema'],
    [
      'another one',
      { structuredContent: { days: 'x' } },
      'tool a: expected structuredContent of its outputSchema: it/d',
    ],
    [
      'content of no known type',
      { content: [{ type: 'txt' }] },
      'tool a: expected content[0] to have the type text, image',
    ],
  ])('an answer that does not match the output schema or the protocol is reported: %s', async (_, result, problem) => {
    await expect(assertWellBehaved(foreign(answering(result)), { calls })).rejects.toThrow(problem)
    await expect(assertWellBehaved(foreign(answering(result)))).resolves.toBeUndefined()
  })

  it('an answer of createTool that its schema refuses is reported', async () => {
    const wrong = createTool({
      metadata: {
        name: 'wrong',
        description: 'x',
        inputSchema: z.object({}),
        outputSchema: z.object({ days: z.number() }),
        annotations: { readOnlyHint: true },
      },
      handler: () => ({ structuredContent: { days: 'x' } }) as never,
    })
    await expect(assertWellBehaved(createBackend({ name: 'b', tools: [wrong] }))).rejects.toThrow(
      /tool wrong: The answer of the tool does not match its outputSchema: - \/days: expected number/,
    )
  })

  it('an answer that matches is fine', async () => {
    const fits = foreign(answering({ structuredContent: { days: 1 } }))
    await expect(assertWellBehaved(fits, { calls })).resolves.toBeUndefined()
  })

  it('a call of a tool that is not listed is reported, because it would check nothing', async () => {
    const fits = foreign(answering({ structuredContent: { days: 1 } }))
    await expect(assertWellBehaved(fits, { calls: [...calls, { tool: 'aa' }] })).rejects.toThrow(
      'call of aa: expected one of the tools a',
    )
  })

  it('a harmless tool that does not end when it is cancelled is reported', async () => {
    const deaf = createTool({
      metadata: { name: 'deaf', description: 'x', inputSchema: z.object({}), annotations: { readOnlyHint: true } },
      handler: () => new Promise<string>(() => undefined),
    })
    await expect(assertWellBehaved(createBackend({ name: 'b', tools: [deaf] }))).rejects.toThrow(
      'tool deaf: expected it to stop when cancelled, and it went on',
    )
  }, 20_000)
})
