import { type Client, createExchange, type Exchange } from '@junctor/exchange'
import type { Link, Log, Scope } from '@junctor/contracts'
import { payloadOf, requestId, type JsonObject, type Request } from '@junctor/jsonrpc'
import { latestHandshake } from '@junctor/protocol'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createBackend } from './create-backend.ts'
import { createPrompt } from './create-prompt.ts'
import { createResource } from './create-resource.ts'
import { createTool, type Tool } from './create-tool.ts'
import { openBackend } from './testing/index.ts'
import { ToolResponse } from './tool-response.ts'

function toolThat(name: string, handler: () => string | ToolResponse | Promise<string>): Tool {
  return createTool({ metadata: { name, description: name, inputSchema: z.object({}) }, handler })
}

function throws(thrown: unknown): () => never {
  return () => {
    throw thrown
  }
}

const echo = toolThat('echo', () => 'hi')
const resource = createResource({ uri: 'x://a', name: 'a', read: () => 'a' })
const prompt = createPrompt({ name: 'p', description: 'p', handler: () => 'p' })

describe('what a link reports about the server', () => {
  it.each([
    [{}, {}],
    [{ tools: [echo] }, { tools: { listChanged: true } }],
    [{ tools: [] }, { tools: { listChanged: true } }],
    [{ resources: [resource] }, { resources: { listChanged: true, subscribe: true }, completions: {} }],
    [{ prompts: [prompt] }, { prompts: { listChanged: true }, completions: {} }],
  ])('the capabilities follow from the offer: %#', async (offer, capabilities) => {
    const { server } = await openBackend(createBackend({ name: 'b', ...offer }))
    expect(server.capabilities).toEqual({ logging: {}, ...capabilities })
  })

  it("info and instructions are the author's; without an info there is a default", async () => {
    const info = { name: 'mine', version: '1.2.3', title: 'Mine' }
    expect(
      (await openBackend(createBackend({ name: 'b', info, instructions: 'Begin with echo' }))).server,
    ).toMatchObject({
      info,
      instructions: 'Begin with echo',
      revision: '2025-11-25',
    })
    expect((await openBackend(createBackend({ name: 'b' }))).server).toMatchObject({
      info: { name: 'b', version: '0.0.0' },
      instructions: undefined,
    })
  })
})

describe('names', () => {
  it.each([
    ['tool "echo"', { tools: [echo, echo] }],
    ['prompt "p"', { prompts: [prompt, prompt] }],
    ['resource "x://a"', { resources: [resource, resource] }],
  ])('two items of one kind with the same name are refused: %s', (what, offer) => {
    const [kind, name] = what.split(' ')
    expect(() => createBackend({ name: 'b', ...offer })).toThrow(`expected every ${kind} once, got ${name} twice`)
  })

  it.each([
    ['tools/call', { name: 'gone' }, -32602],
    ['tools/call', { name: 'toString' }, -32602],
    ['tools/call', {}, -32602],
    ['resources/read', { uri: 7 }, -32602],
    ['resources/subscribe', {}, -32602],
    ['resources/unsubscribe', {}, -32602],
    ['no/such/method', {}, -32601],
    ['tools/list', {}, -32601],
  ])('%s of %j is an error', async (method, params, code) => {
    const client = await openBackend(createBackend({ name: 'b', tools: [echo], resources: [resource] }))
    await expect(client.request(method, params)).rejects.toMatchObject({ code })
  })
})

describe('a tool that fails', () => {
  it.each<[string, Tool, string]>([
    ['immediately', toolThat('t', throws(new Error('No more paper'))), 'No more paper'],
    ['later', toolThat('t', async () => throws(new Error('No more ink'))()), 'No more ink'],
    ['with a value that is not an error', toolThat('t', throws({ password: 'secret' })), 'The tool t failed'],
    [
      'with a result that JSON cannot carry',
      toolThat('t', () => ({ _meta: { n: 1n as never } })),
      'Do not know how to',
    ],
  ])('%s is answered with the message only, and logged', async (_, tool, message) => {
    const logged: unknown[] = []
    const quiet = (): void => undefined
    const log: Log = { debug: quiet, info: quiet, warn: quiet, error: (text, fields) => logged.push([text, fields]) }
    const client = await openBackend(createBackend({ name: 'b', tools: [tool], log }))
    expect(await client.callTool('t')).toEqual(ToolResponse.error(expect.stringContaining(message) as string))
    expect(logged).toMatchObject([['tool failed', { tool: 't' }]])
  })

  it('because the client gives no answer is no error of the log', async () => {
    const logged: unknown[] = []
    const note = (level: string) => (text: string) => void logged.push([level, text])
    const log: Log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
    const tool = createTool({
      metadata: { name: 't', description: 'Asks', inputSchema: { type: 'object' } },
      handler: async (_input, { roots }) => JSON.stringify(await roots()),
    })
    const client = await openBackend(createBackend({ name: 'b', tools: [tool], log }))
    expect(await client.callTool('t')).toMatchObject({ isError: true })
    expect(logged).toEqual([['debug', 'tool failed']])
  })

  it('does not show its stack', async () => {
    const client = await openBackend(createBackend({ name: 'b', tools: [toolThat('t', throws(new Error('No')))] }))
    expect(JSON.stringify(await client.callTool('t'))).not.toContain('create-backend.test')
  })
})

describe('replacing the offer', () => {
  it('changes what is listed and called, keeps the other kinds, and notifies every open link', async () => {
    const backend = createBackend({ name: 'b', tools: [echo], prompts: [prompt] })
    const [one, two] = [await openBackend(backend), await openBackend(backend)]
    backend.replace({ tools: [toolThat('other', () => 'new')] })
    expect(await one.listTools()).toMatchObject([{ name: 'other' }])
    expect(await one.callTool('other')).toEqual(ToolResponse.text('new'))
    await expect(one.callTool('echo')).rejects.toMatchObject({ code: -32602 })
    expect(await one.listPrompts()).toHaveLength(1)
    const expected = [{ method: 'notifications/tools/list_changed', params: {} }]
    expect(one.notifications).toEqual(expected)
    expect(two.notifications).toEqual(expected)
  })

  it('notifies of each kind that was replaced, and of no other', async () => {
    const backend = createBackend({ name: 'b', resources: [], prompts: [] })
    const client = await openBackend(backend)
    backend.replace({ resources: [resource], prompts: [prompt] })
    expect(client.notifications.map(({ method }) => method)).toEqual([
      'notifications/resources/list_changed',
      'notifications/prompts/list_changed',
    ])
  })

  it('is refused when the new offer is invalid, and changes nothing', async () => {
    const backend = createBackend({ name: 'b', tools: [echo] })
    const client = await openBackend(backend)
    expect(() => backend.replace({ tools: [echo, echo] })).toThrow('expected every tool once')
    expect(await client.listTools()).toHaveLength(1)
    backend.replace({ prompts: [prompt] })
    expect(await client.listTools()).toHaveLength(1)
    expect(client.notifications).toHaveLength(1)
  })
})

it('an update reaches the subscribers of the URI, and only them', async () => {
  const backend = createBackend({ name: 'b', resources: [resource] })
  const [subscriber, other] = [await openBackend(backend), await openBackend(backend)]
  await subscriber.subscribe('x://a')
  backend.updated('x://a')
  backend.updated('x://b')
  expect(subscriber.notifications).toEqual([{ method: 'notifications/resources/updated', params: { uri: 'x://a' } }])
  expect(other.notifications).toEqual([])
})

describe('on a link', () => {
  const context = {
    tenant: 'default',
    principal: { issuer: 'local', subject: 'test', key: 'local test' },
    session: undefined,
    revision: latestHandshake,
    client: { info: {}, capabilities: {} },
    trace: undefined,
  }
  const client: Client = { context, notify: () => undefined, ask: () => Promise.reject(new Error('not asked')) }
  const scope: Scope = { tenant: 'default', principal: undefined, session: undefined, capabilities: {}, key: 'default' }

  function open(tools: readonly Tool[]): Promise<Link> {
    const backend = createBackend({ name: 'b', tools })
    return backend.open(scope, client, new AbortController().signal)
  }

  function requestOf(params: JsonObject): [Request, Exchange] {
    const request: Request = {
      kind: 'request',
      dialect: '2.0',
      id: requestId(1),
      method: 'tools/call',
      params: payloadOf(params),
    }
    const host = {
      nextId: () => 'x',
      now: () => 0,
      asked: () => undefined,
      answered: () => undefined,
      closed: () => undefined,
    }
    return [request, createExchange({ id: 'n-1', request, context, deadline: Infinity, attempt: 1 }, host)]
  }

  it('a tool that answers immediately costs no promise', async () => {
    const link = await open([echo])
    expect(link.call(...requestOf({ name: 'echo' }))).toMatchObject({ kind: 'complete' })
  })

  it('an answer is serialized inside the tool call, so that a value without a JSON form never leaves the tool', async () => {
    const link = await open([echo])
    expect(link.call(...requestOf({ name: 'echo' }))).toMatchObject({
      result: { text: '{"content":[{"type":"text","text":"hi"}]}' },
    })
  })

  it('a list is the same payloads each time', async () => {
    const link = await open([echo])
    const { signal } = new AbortController()
    expect(await link.list('tools', signal)).toBe(await link.list('tools', signal))
  })

  it('after close every call is answered with an error, and `closed` resolves without an error', async () => {
    const link = await open([echo])
    await link.close()
    await link.close()
    expect(await link.closed).toBeUndefined()
    expect(link.call(...requestOf({ name: 'echo' }))).toMatchObject({ kind: 'error', error: { code: -32000 } })
  })

  it('notifications from the client are accepted', async () => {
    const link = await open([echo])
    expect(() => link.notify({ method: 'notifications/roots/list_changed', params: undefined })).not.toThrow()
  })

  it('the backend closes its links, then its own resources, once', async () => {
    const order: string[] = []
    const backend = createBackend({ name: 'b', tools: [echo], close: () => void order.push('backend') })
    const link = await backend.open(scope, client, new AbortController().signal)
    void link.closed.then(() => order.push('link'))
    await Promise.all([backend.close(), backend.close()])
    expect(order).toEqual(['link', 'backend'])
  })

  it('the backend opens no link after its close, nor one that it was opening', async () => {
    const started = Promise.withResolvers<void>()
    let starts = 0
    const start = (): Promise<void> => {
      starts += 1
      return started.promise
    }
    const [opening, idle] = [createBackend({ name: 'b', start }), createBackend({ name: 'b', start })]
    const { signal } = new AbortController()
    const early = opening.open(scope, client, signal)
    const closing = Promise.all([opening.close(), idle.close()])
    started.resolve()
    await expect(early).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(idle.open(scope, client, signal)).rejects.toMatchObject({ code: 'CLOSED' })
    await closing
    expect(starts).toBe(1)
  })
})
