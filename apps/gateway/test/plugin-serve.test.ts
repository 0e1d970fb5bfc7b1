import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { junctorProgram } from '@junctor/testkit'
import { type JunctorProcess, startJunctor } from './junctor-process.ts'

vi.setConfig({ testTimeout: 90_000 })

let folder: string
let temporary: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-serve-test-'))
  temporary = join(folder, 'tmp')
  mkdirSync(temporary)
})
afterEach(() => rmSync(folder, { recursive: true }))

const plugin = `
import { createBackend, createTool, definePlugin, ToolResponse } from '@junctor/plugin-sdk'
import { z } from 'zod'

const write = createTool({
  metadata: { name: 'write', description: 'Writes', inputSchema: z.strictObject({ words: z.number().int() }) },
  handler: ({ words }, context) =>
    ToolResponse.stream(async function* () {
      for (let word = 1; word <= words; word += 1) {
        context.progress(word, words)
        yield ToolResponse.text(\`word \${word}\`)
      }
    }),
})
const wait = createTool({
  metadata: { name: 'wait', description: 'Waits', inputSchema: z.strictObject({}) },
  handler: (_input, { signal }) =>
    new Promise((resolve) => {
      console.error('waiting')
      signal.addEventListener('abort', () => {
        console.error('cancelled')
        resolve('')
      })
    }),
})
const fail = createTool({
  metadata: { name: 'fail', description: 'Fails', inputSchema: z.strictObject({}) },
  handler: () => {
    throw new Error('no paper')
  },
})
const quote = createTool({
  metadata: { name: 'quote', description: 'Quotes', inputSchema: z.strictObject({}) },
  handler: () => 'one\\u2028two\\u2029three\\u0085four',
})

export default definePlugin({
  name: 'writer',
  key: 'plugin',
  config: z.strictObject({ tools: z.array(z.enum(['write', 'wait', 'fail', 'quote'])) }),
  create: ({ tools }, { name }) => createBackend({ name, tools: tools.map((tool) => ({ write, wait, fail, quote })[tool]) }),
})
`

interface Component {
  readonly url: string
  readonly junctor: JunctorProcess
}

/** Serves the plugin with these tools. */
async function component(...tools: readonly string[]): Promise<Component> {
  writeFileSync(join(folder, 'writer.ts'), plugin)
  const words = ['plugin', 'serve', 'writer.ts', '--options', JSON.stringify({ tools }), '--port', '0']
  const junctor = startJunctor(words, { folder, env: { TMPDIR: temporary } })
  return { junctor, url: await junctor.line(/component is on (\S+)/) }
}

async function end({ junctor }: Component): Promise<void> {
  junctor.child.kill('SIGTERM')
  expect(await junctor.ended()).toBe(0)
  expect(readdirSync(temporary)).toEqual([])
}

async function post(url: string, body: string, accept = '*/*'): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { method: 'POST', body, headers: { accept } })
  return { status: response.status, text: await response.text() }
}

test('one tool is the component: its description, its result, its pieces', async () => {
  const served = await component('write')
  expect(await (await fetch(served.url)).json()).toMatchObject({
    name: 'write',
    description: 'Writes',
    version: '0.0.0',
    inputSchema: { type: 'object', required: ['words'] },
  })
  const whole = await post(served.url, '{"words":2}')
  expect(whole.status).toBe(200)
  const [one, two] = [
    { type: 'text', text: 'word 1' },
    { type: 'text', text: 'word 2' },
  ]
  expect(JSON.parse(whole.text)).toEqual({ content: [one, two] })
  const streamed = await post(served.url, '{"words":2}', 'application/x-ndjson, application/json')
  expect(
    streamed.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { jsonrpc: '3.0', ack: { id: 1, progress: 1, total: 2 } },
    { jsonrpc: '3.0', stream: { id: 1, data: one } },
    { jsonrpc: '3.0', ack: { id: 1, progress: 2, total: 2 } },
    { jsonrpc: '3.0', stream: { id: 1, data: two } },
    { jsonrpc: '3.0', stream: { id: 1 }, result: { content: [] } },
  ])
  await end(served)
})

test('a text with the line ends of Unicode is answered like any other', async () => {
  const served = await component('quote')
  const content = [{ type: 'text', text: 'one\u2028two\u2029three\u0085four' }]
  const { status, text } = await post(served.url, '{}')
  expect({ status, answer: JSON.parse(text) as unknown }).toEqual({ status: 200, answer: { content } })
  const streamed = await post(served.url, '{}', 'application/x-ndjson')
  expect(JSON.parse(streamed.text)).toMatchObject({ result: { content } })
  await end(served)
})

test('several tools have their own places, and are a registry', async () => {
  const served = await component('write', 'fail')
  expect(await (await fetch(served.url)).json()).toEqual({
    components: [
      { name: 'write', url: 'tools/write' },
      { name: 'fail', url: 'tools/fail' },
    ],
  })
  expect(await (await fetch(`${served.url}/tools/fail`)).json()).toMatchObject({ name: 'fail' })
  expect(await post(`${served.url}/tools/fail`, '')).toEqual({
    status: 200,
    text: '{"content":[{"type":"text","text":"no paper"}],"isError":true}',
  })
  expect((await post(`${served.url}/tools/none`, '{}')).status).toBe(404)
  expect((await post(served.url, '{}')).status).toBe(404)
  // A gateway uses it as one backend.
  const config = { backends: { far: { tool: { registry: `${served.url}/` }, allowedHosts: ['127.0.0.1'] } } }
  writeFileSync(join(folder, 'junctor.json'), JSON.stringify(config))
  const called = startJunctor(['call', 'far__write', 'words=2'], { folder })
  expect(await called.ended()).toBe(0)
  expect(called.stdout()).toBe('word 1\nword 2\n')
  await end(served)
})

test('a file with any name can be served, with a file of options whose paths start at its folder', async () => {
  writeFileSync(join(folder, 'My_Writer.v2.ts'), plugin)
  mkdirSync(join(folder, 'own'))
  writeFileSync(join(folder, 'own', 'options.yaml'), "tools: ['${file:./tool.txt}']\n")
  writeFileSync(join(folder, 'own', 'tool.txt'), 'fail\n')
  const words = ['plugin', 'serve', 'My_Writer.v2.ts', '--options', join('own', 'options.yaml'), '--port', '0']
  const junctor = startJunctor(words, { folder, env: { TMPDIR: temporary } })
  const url = await junctor.line(/component is on (\S+)/)
  expect((await post(url, '')).text).toContain('no paper')
  await end({ junctor, url })
})

test.each([
  ['{', 400, 'Parse error'],
  ['[1]', 400, 'arguments'],
  // No arguments: the tool says which it wants.
  ['null', 200, 'do not match the schema of write'],
  ['{"words":9007199254740993}', 200, '/words: 9007199254740993 would become 9007199254740992'],
])('the body %s is answered with what is wrong', async (body, status, text) => {
  const served = await component('write')
  const answer = await post(served.url, body)
  expect(answer.status).toBe(status)
  expect(answer.text).toContain(text)
  await end(served)
})

test('a port in use is reported with what to do', async () => {
  const served = await component('write')
  const words = ['plugin', 'serve', 'writer.ts', '--options', '{"tools":[]}', '--port', new URL(served.url).port]
  const other = startJunctor(words, { folder, env: { TMPDIR: temporary } })
  expect(await other.ended()).toBe(4)
  expect(other.stderr()).toContain('\n  Another program listens there.')
  await end(served)
})

test('a client that goes away cancels its call, and SIGTERM ends the rest', async () => {
  const served = await component('wait')
  const gone = new AbortController()
  const call = fetch(served.url, { method: 'POST', body: '{}', signal: gone.signal })
  await served.junctor.line(/(waiting)/)
  gone.abort()
  await expect(call).rejects.toThrow('aborted')
  await served.junctor.line(/(cancelled)/)
  await end(served)
})

/** Serves a plugin without tools that behaves like this. */
function odd(members: string): JunctorProcess {
  const source = `
import { createBackend, definePlugin } from '@junctor/plugin-sdk'
import { z } from 'zod'
const backend = (name) => createBackend({ name, tools: [] })
export default definePlugin({ name: 'odd', key: 'plugin', config: z.strictObject({}), ${members} })
`
  writeFileSync(join(folder, 'odd.ts'), source)
  return startJunctor(['plugin', 'serve', 'odd.ts', '--port', '0'], { folder, env: { TMPDIR: temporary } })
}

test('SIGTERM ends it also while its plugin is still making its backend', async () => {
  const junctor = odd('create: () => new Promise(() => console.error("making"))')
  await junctor.line(/(making)/)
  junctor.child.kill('SIGTERM')
  expect(await junctor.ended()).toBe(0)
  expect(readdirSync(temporary)).toEqual([])
})

test('a plugin that does not close is reported in a sentence', async () => {
  const junctor = odd(
    'create: (_, { name }) => ({ ...backend(name), close: () => Promise.reject(new Error("stuck")) })',
  )
  await junctor.line(/component is on (\S+)/)
  junctor.child.kill('SIGTERM')
  expect(await junctor.ended()).toBe(1)
  expect(junctor.stderr()).toContain('junctor: not every backend closed cleanly: odd')
  expect(junctor.stderr()).not.toContain('    at ')
})

test('with --stdio it is an MCP server with its own names', async () => {
  writeFileSync(join(folder, 'writer.ts'), plugin)
  const client = new Client({ name: 'test', version: '1' })
  const args = [junctorProgram, 'plugin', 'serve', 'writer.ts', '--stdio', '--options', '{"tools":["write","fail"]}']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['write', 'fail'])
  expect(await client.callTool({ name: 'write', arguments: { words: 1 } })).toMatchObject({
    content: [{ type: 'text', text: 'word 1' }],
  })
  await client.close()
})
