import { silentLog } from '@junctor/plugin-sdk'
import { assertWellBehaved, openBackend, type TestClient } from '@junctor/plugin-sdk/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDemo } from './create-demo.ts'
import { demoPlugin } from './index.ts'

let client: TestClient

beforeEach(async () => {
  client = await openBackend(demoPlugin)
})

afterEach(async () => {
  await client.close()
})

/** The text of an answer. */
async function textOf(
  name: string,
  ...rest: [input?: object, options?: Parameters<TestClient['callTool']>[2]]
): Promise<string> {
  const { content = [] } = await client.callTool(name, ...rest)
  return content.map((block) => ('text' in block ? block.text : block.type)).join('\n')
}

it('passes assertWellBehaved', async () => {
  await expect(assertWellBehaved(demoPlugin, { slowCall: { tool: 'slow' } })).resolves.toBeUndefined()
})

it('every tool has a description and hints', async () => {
  const tools = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'echo',
    'add',
    'image',
    'sound',
    'link',
    'log',
    'progress',
    'slow',
    'ask',
    'summarize',
    'roots',
    'tick',
  ])
  for (const tool of tools) {
    expect(tool).toMatchObject({ title: expect.any(String) as string, annotations: { openWorldHint: false } })
  }
})

it('refuses any other configuration', async () => {
  await expect(openBackend(demoPlugin, { config: { colour: 'red' } })).rejects.toThrow('colour')
})

describe('content', () => {
  it('echo', async () => {
    expect(await client.callTool('echo', { message: 'Hello' })).toEqual({ content: [{ type: 'text', text: 'Hello' }] })
  })

  it('add answers with structured content', async () => {
    expect(await client.callTool('add', { a: 2, b: 3 })).toEqual({
      content: [{ type: 'text', text: '{"sum":5}' }],
      structuredContent: { sum: 5 },
    })
    expect(await client.callTool('add', { a: 2 })).toMatchObject({ isError: true })
  })

  it('image is a PNG, sound is a WAV', async () => {
    const [picture] = (await client.callTool('image')).content ?? []
    expect(picture).toMatchObject({
      type: 'image',
      mimeType: 'image/png',
      data: expect.stringMatching(/^iVBORw0KGgo/) as string,
    })
    const [tone] = (await client.callTool('sound')).content ?? []
    expect(tone).toMatchObject({
      type: 'audio',
      mimeType: 'audio/wav',
      data: expect.stringMatching(/^UklGR/) as string,
    })
  })

  it('link points to a resource that can be read, and embeds another one', async () => {
    const { content = [] } = await client.callTool('link')
    expect(content).toMatchObject([
      { type: 'resource_link', uri: 'demo://counter' },
      { type: 'resource', resource: { uri: 'demo://greeting/you', text: 'Hello, you!' } },
    ])
    expect(await client.readResource('demo://greeting/you')).toMatchObject([{ text: 'Hello, you!' }])
    expect(await client.readResource('demo://counter')).toMatchObject([{ text: '{"count":0}' }])
  })
})

describe('messages back to the client', () => {
  it('progress reports each step', async () => {
    const received: unknown[] = []
    await textOf('progress', { steps: 3, delayMs: 0 }, { onProgress: (progress) => received.push(progress) })
    expect(received).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `Step ${step} of 3` })))
  })

  it('log sends all levels, and only those that were set', async () => {
    const levels: unknown[] = []
    await textOf('log', {}, { onLog: ({ level }) => levels.push(level) })
    await client.setLogLevel('critical')
    await textOf('log', {}, { onLog: ({ level }) => levels.push(level) })
    expect(levels).toHaveLength(8 + 3)
    expect(levels.slice(-3)).toEqual(['critical', 'alert', 'emergency'])
  })

  it.each([
    [{ action: 'accept', content: { name: 'Ada', age: 36 } }, 'Hello Ada, 36 is a fine age.'],
    [{ action: 'decline' }, 'You declined, so there is no greeting.'],
    [{ action: 'cancel' }, 'You closed the question without an answer.'],
  ])('ask takes %j for an answer', async (answer, text) => {
    expect(await textOf('ask', {}, { onElicit: () => answer })).toBe(text)
  })

  it('summarize asks the model of the client', async () => {
    let asked: unknown
    const answer = { role: 'assistant', model: 'small', content: { type: 'text', text: 'Short.' } }
    const text = await textOf('summarize', { text: 'Long story' }, { onSample: (params) => ((asked = params), answer) })
    expect(text).toBe('Short.')
    expect(JSON.stringify(asked)).toContain('Long story')
  })

  it('summarize accepts several blocks, and reports an answer without text', async () => {
    const answer = (content: unknown[]): never => ({ role: 'assistant', model: 'small', content }) as never
    const blocks = [{ type: 'text', text: 'A' }, { type: 'image' }, { type: 'text', text: 'B' }]
    expect(await textOf('summarize', { text: 'x' }, { onSample: () => answer(blocks) })).toBe('AB')
    expect(await client.callTool('summarize', { text: 'x' }, { onSample: () => answer([]) })).toMatchObject({
      isError: true,
    })
  })

  it.each([
    [[], 'Your client allows no folder.'],
    [[{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }], 'A: file:///a\nfile:///b'],
  ])('roots %j are read out', async (roots, text) => {
    expect(await textOf('roots', {}, { onRoots: () => roots })).toBe(text)
  })
})

describe('taking time', () => {
  it.each([
    ['slow', { ms: 600_000 }],
    ['progress', { steps: 1, delayMs: 60_000 }],
  ])('%s stops when it is cancelled, and leaves no timer behind', async (name, input) => {
    const controller = new AbortController()
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    const call = client.callTool(name, input, { signal: controller.signal })
    expect(timers()).toBe(before + 1)
    controller.abort()
    await expect(call).rejects.toThrow('The request ended: cancelled')
    expect(timers()).toBe(before)
  })

  it('slow answers when its time is over', async () => {
    expect(await textOf('slow', { ms: 0 })).toBe('Did nothing for 0 ms')
  })
})

describe('the counter', () => {
  it('counts, and notifies its subscribers', async () => {
    await client.subscribe('demo://counter')
    expect((await client.callTool('tick')).structuredContent).toEqual({ count: 1 })
    expect((await client.callTool('tick')).structuredContent).toEqual({ count: 2 })
    expect(client.notifications).toHaveLength(2)
    expect(await client.readResource('demo://counter')).toMatchObject([{ text: '{"count":2}' }])
    await client.unsubscribe('demo://counter')
    await client.callTool('tick')
    expect(client.notifications).toHaveLength(2)
  })

  it('is separate for each tenant: another tenant neither sees it nor is notified', async () => {
    const backend = createDemo('demo', silentLog)
    const [ours, theirs] = [
      await openBackend(backend, { context: { tenant: 'ours' } }),
      await openBackend(backend, { context: { tenant: 'theirs' } }),
    ]
    await theirs.subscribe('demo://counter')
    await ours.callTool('tick')
    expect(theirs.notifications).toEqual([])
    expect(await theirs.readResource('demo://counter')).toMatchObject([{ text: '{"count":0}' }])
    expect(await ours.readResource('demo://counter')).toMatchObject([{ text: '{"count":1}' }])
  })
})

describe('greetings', () => {
  it('are a resource for every name', async () => {
    expect(await client.readResource('demo://greeting/Ada%20Lovelace')).toEqual([
      { uri: 'demo://greeting/Ada%20Lovelace', mimeType: 'text/plain', text: 'Hello, Ada Lovelace!' },
    ])
  })

  it('are a prompt', async () => {
    expect(await client.getPrompt('greeting', { name: 'Ada' })).toMatchObject({
      messages: [{ role: 'user', content: { text: 'Greet Ada in a friendly way, in one or two sentences.' } }],
    })
  })

  it('complete names and styles', async () => {
    const prompt = { type: 'ref/prompt', name: 'greeting' } as const
    const template = { type: 'ref/resource', uri: 'demo://greeting/{name}' } as const
    expect(await client.complete(prompt, { name: 'name', value: 'al' })).toEqual(['Alan', 'Alexander', 'Almon'])
    expect(await client.complete(template, { name: 'name', value: 'H' })).toEqual(['Hedy'])
    expect(await client.complete(prompt, { name: 'style', value: 'p' })).toEqual(['poetic'])
  })
})
