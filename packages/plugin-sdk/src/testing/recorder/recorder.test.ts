import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Link } from '@junctor/contracts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createBackend, type LocalBackend } from '../../create-backend.ts'
import { createMethod } from '../../create-method.ts'
import { createTool } from '../../create-tool.ts'
import { ToolResponse } from '../../tool-response.ts'
import { openBackend } from '../open-backend.ts'
import type { TestClient } from '../test-client.ts'
import { playBackend } from './play-backend.ts'
import { recordBackend } from './record-backend.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-recording-'))
  file = join(folder, 'session.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const inputSchema = z.object({ text: z.string().optional() })

function tool(name: string, handler: Parameters<typeof createTool>[0]['handler']): ReturnType<typeof createTool> {
  return createTool({ metadata: { name, description: 'x', inputSchema }, handler: handler as never })
}

function sample(): LocalBackend {
  let count = 0
  return createBackend({
    name: 'sample',
    tools: [
      tool('count', () => String((count += 1))),
      tool('echo', (input) => JSON.stringify(input)),
      tool('pieces', async function* () {
        yield ToolResponse.text('one ').content?.[0] as never
        yield ToolResponse.text('two').content?.[0] as never
      } as never),
      tool('inner', async (_input, context) => {
        const { content } = await (
          context as { callTool(name: string, input: object): Promise<ToolResponse> }
        ).callTool('other:tool', { a: 1 })
        return { content: content ?? [] }
      }),
    ],
    methods: [createMethod({ name: 'acme/plain', handler: () => ({ plain: true }) })],
  })
}

async function recorded(use: (client: TestClient, backend: LocalBackend) => Promise<unknown>): Promise<unknown> {
  const backend = sample()
  const client = await openBackend(recordBackend(backend, { file }))
  const result = await use(client, backend)
  await client.close()
  return result
}

async function played(use: (client: TestClient) => Promise<unknown>): Promise<unknown> {
  const client = await openBackend(playBackend({ file }))
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

describe('a recording', () => {
  test('gives equal requests their results in order, whatever the order of members and _meta', async () => {
    let traces = 0
    const counts = async (client: TestClient): Promise<unknown> => [
      await client.callTool('count'),
      await client.callTool('count'),
      await client.request('tools/call', {
        arguments: {},
        name: 'count',
        _meta: { traceparent: `00-${(traces += 1)}` },
      }),
    ]
    const results = await recorded(counts)
    expect(JSON.stringify(results)).toMatch(/"1".*"2".*"3"/)
    expect(await played(counts)).toEqual(results)
  })

  test('has pieces of streams, methods of the backend, and calls of other tools with their answers', async () => {
    const use = async (client: TestClient): Promise<unknown> => {
      const chunks: unknown[] = []
      const options = { onChunk: (data: unknown) => void chunks.push(data), onCallTool: () => 'from another tool' }
      return [
        await client.callTool('pieces', {}, { ...options, options: { stream: true } }),
        chunks,
        await client.callMethod('acme/plain'),
        await client.callTool('inner', {}, options),
      ]
    }
    const results = await recorded(use)
    expect(JSON.stringify(results)).toMatch(/one .*two.*"plain":true.*from another tool/)
    expect(await played(use)).toEqual(results)
    expect(playBackend({ file }).methods).toEqual(['acme/plain'])
    await expect(
      played((client) => client.callTool('inner', {}, { onCallTool: () => 'another answer' })),
    ).rejects.toThrow(/has answered .*another answer.*; recorded is .*from another tool/)
  })

  test('has what arrives outside of requests, and lists in their order', async () => {
    const names = async (client: TestClient): Promise<unknown> => (await client.listTools()).map(({ name }) => name)
    await recorded(async (client, backend) => {
      await names(client)
      await client.callTool('count')
      backend.replace({ tools: [] })
      await names(client)
    })
    await played(async (client) => {
      expect(await names(client)).toEqual(['count', 'echo', 'pieces', 'inner'])
      expect(client.notifications).toEqual([])
      await client.callTool('count')
      expect(client.notifications).toEqual([{ method: 'notifications/tools/list_changed', params: {} }])
      expect(await names(client)).toEqual([])
      expect(await names(client)).toEqual([])
    })
  })

  test('has failures of links: a server that refuses, one that goes away, a list that fails', async () => {
    const gone = Promise.withResolvers<Error | undefined>()
    const base = sample()
    let opens = 0
    const broken = {
      ...base,
      async open(...given: Parameters<LocalBackend['open']>): Promise<Link> {
        if ((opens += 1) === 1) throw new Error('not today')
        const link = await base.open(...given)
        const list: Link['list'] = () => Promise.reject(new Error('no lists'))
        return { ...link, list, closed: gone.promise }
      },
    }
    const recording = recordBackend(broken, { file })
    await expect(openBackend(recording)).rejects.toThrow('not today')
    const client = await openBackend(recording)
    await expect(client.listTools()).rejects.toThrow('no lists')
    await client.callTool('count')
    gone.resolve(new Error('it has crashed'))
    await gone.promise
    await client.close()

    const playing = playBackend({ file })
    await expect(openBackend(playing)).rejects.toThrow('not today')
    const again = await openBackend(playing)
    await expect(again.listTools()).rejects.toThrow('no lists')
    await again.callTool('count')
    await expect(again.callTool('count')).rejects.toThrow('the link of the recording is closed')
  })

  test('is readable by its owner only, and keeps no secret: in names, values, results, errors and what a pattern finds', async () => {
    const redact = ['hunter2', 'hunter2-long', /tok_\w+/i]
    writeFileSync(file, 'an earlier one', { mode: 0o644 })
    const client = await openBackend(recordBackend(sample(), { file, redact }))
    const input = { text: 'hunter2-long "hunter2"', hunter2: { deep: ['TOK_abc', 1] } }
    await client.callTool('echo', input)
    await client.request('tools/call', { name: 'hunter2' }).catch(() => undefined)
    await client.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('***')
    expect(text).not.toMatch(/hunter2|tok_|-long/i)
    const replayed = await openBackend(playBackend({ file, redact }))
    expect(JSON.stringify(await replayed.callTool('echo', input))).toContain('***')
    expect(() => recordBackend(sample(), { file, redact: [''] })).toThrow('got an empty text')
  })
})

describe('a request that was not recorded', () => {
  test.each<[string, (client: TestClient) => Promise<unknown>, RegExp]>([
    [
      'of the same tool',
      (client) => client.callTool('echo', { text: 'c' }),
      /nearest is .*"text":"a".*"echo".* line \d/,
    ],
    ['of another tool', (client) => client.callTool('other'), /nearest is tools\/call .*"count"/],
    ['of another method', (client) => client.request('prompts/get', { name: 'echo' }), /nearest is .*"echo"/],
    [
      'once more',
      (client) => client.callTool('count').then(() => client.callTool('count')),
      /recorded once in .* \(line \d\)/,
    ],
  ])('is an error that helps: %s', async (_name, ask, message) => {
    await recorded(async (client) => {
      await client.callTool('echo', { text: 'a' })
      await client.callTool('count')
    })
    await expect(played(ask)).rejects.toThrow(message)
  })

  test('of an empty recording', async () => {
    await recorded(async () => undefined)
    await expect(played((client) => client.callTool('echo'))).rejects.toThrow(/it has no requests/)
  })

  test('ends with an error when the recording ends in the call', async () => {
    await recorded((client) => client.callTool('count'))
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    writeFileSync(file, lines.filter((line) => !line.includes('"outcome"')).join('\n'))
    await expect(played((client) => client.callTool('count'))).rejects.toThrow('the recording ends before the outcome')
  })
})

test.each([
  ['another file', '{"mcpServers":{}}', ':1: expected a line of a recording'],
  ['an empty file', '', ':1: expected a recording'],
  ['text', 'hello', ':1: expected a line of a recording'],
  ['another version', '{"kind":"recording","version":2,"backend":"a","correlates":true}', 'expected version 1'],
  ['an event of no call', 'HEAD\n{"kind":"end","call":3,"reason":"cancelled"}', ':2: expected the request of call 3'],
  ['two recordings', 'HEAD\nHEAD', ':2: expected one recording'],
])('%s is no recording, and the error names the line', (_name, text, message) => {
  const head = '{"kind":"recording","version":1,"backend":"a","correlates":true}'
  writeFileSync(file, text.replaceAll('HEAD', head))
  expect(() => playBackend({ file })).toThrow(message)
})
