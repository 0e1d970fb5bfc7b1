import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sameBackend } from '@junctor/config'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { eventually, listDescendants, programFile, untilGone, untilNoDescendants } from '@junctor/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createNode, createWorker, type NodeConfig, readConfig } from '../../src/index.ts'
import { open, post } from '../mcp-post.ts'
import { unruly } from './isolated-process.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-isolated-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

afterEach(() => untilNoDescendants())

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

function read(backend: string, more = '') {
  const file = write('junctor.yaml', `listen: { http: { port: 0 } }\n${more}\nbackends:\n  one: ${backend}\n`)
  return readConfig(file, { plugins: [], env: {} })
}

async function valid(backend: string, more?: string): Promise<NodeConfig> {
  const parsed = await read(backend, more)
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

async function call(url: string, session: string, tool: string, text = ''): Promise<unknown> {
  const params = { name: `one__${tool}`, arguments: { text } }
  const { body } = await post(url, { id: 1, method: 'tools/call', params }, session)
  return body['result'] ?? body['error']
}

test('a module with isolation is never loaded in this process: neither to read nor to check it', async () => {
  await valid(`{ plugin: ${unruly}, isolation: process }`)
  expect(await read(`{ plugin: ${unruly}, isolation: proces }`)).toMatchObject({
    problems: [{ path: 'backends.one.isolation' }],
  })
  expect(globalThis).not.toHaveProperty('unrulyLoaded')
})

test('its options are checked by its own schema, at their lines, with its words', async () => {
  expect(await read(`{ plugin: ${unruly}, isolation: process, hook: no, wrod: x }`)).toMatchObject({
    problems: [
      { path: 'backends.one.hook', line: 4, expected: '"create", "hang", "close" or "drain"' },
      { path: 'backends.one.wrod', line: 4, next: 'Did you mean "word"?' },
    ],
  })
})

test.each([
  ['throws.ts', "throw new Error('at once')", 'at once'],
  ['exits.ts', 'process.exit(5)', 'exited with code 5'],
  ['loops.ts', 'for (;;);', 'in a loop'],
  ['empty.ts', 'export const a = 1', 'a module that exports a'],
  ['greedy.ts', "import { readFileSync } from 'node:fs'\nreadFileSync('/etc/hostname')", 'has been restricted'],
])('a module that cannot be loaded is a problem of its line: %s', { timeout: 60_000 }, async (name, text, got) => {
  write(name, text)
  expect(await read(`{ plugin: ./${name}, isolation: process }`)).toMatchObject({
    problems: [{ kind: 'plugin_not_loaded', path: 'backends.one.plugin', line: 4, got: expect.stringContaining(got) }],
  })
})

test.each([
  ['throws', "throw new Error('in the check')", 'in the check'],
  ['ends the process', 'process.exit(5)', 'exited with code 5'],
  ['waits', 'return Promise.resolve()', 'Promise'],
])('a schema that %s when options are checked is a problem of its line', async (name, statement, got) => {
  const config = `{ _zod: { run(payload) { ${statement} }, def: { type: 'any' } } }`
  write(`${name}.ts`, `export default { contract: 1, name: 'p', key: 'plugin', config: ${config}, create() {} }`)
  expect(await read(`{ plugin: "./${name}.ts", isolation: process }`)).toMatchObject({
    problems: [{ kind: 'plugin_not_loaded', path: 'backends.one.plugin', line: 4, got: expect.stringContaining(got) }],
  })
})

test('a plugin beside the configuration reads itself, and not the configuration', async () => {
  write('beside.ts', "import { readFileSync } from 'node:fs'\nreadFileSync(new URL('junctor.yaml', import.meta.url))")
  expect(await read('{ plugin: ./beside.ts, isolation: process }')).toMatchObject({
    problems: [{ next: expect.stringContaining(join(folder, 'junctor.yaml')) }],
  })
})

test('the same code is the same plugin for a reload, and changed code is another', async () => {
  const plugin = (version: number): string =>
    `export const plugin = { contract: 1, name: 'p', key: 'plugin', config: { _zod: { run: (p) => p, def: { type: 'any' } } }, create() { return ${version} } }`
  write('changing.ts', plugin(1))
  const backendOf = async () => (await valid('{ plugin: ./changing.ts, isolation: process }')).backends[0]
  const [first, same] = [await backendOf(), await backendOf()]
  write('changing.ts', plugin(2))
  const changed = await backendOf()
  if (first === undefined || same === undefined || changed === undefined) throw new Error('expected backends')
  expect(sameBackend(first, same)).toBe(true)
  expect(sameBackend(first, changed)).toBe(false)
})

test('a gateway serves it, and an operator sees why it ended', async () => {
  const config = await valid(`{ plugin: ${unruly}, isolation: process }`)
  const node = await createNode({ config })
  try {
    const { http } = await node.listen()
    const session = await open(http.url)
    expect(await call(http.url, session, 'echo', 'hello')).toMatchObject({ content: [{ text: 'hello' }] })
    await call(http.url, session, 'exit')
    await eventually(async () => {
      const [status] = await node.status()
      expect(String(status?.error)).toContain('exited with code 3')
    })
  } finally {
    await node.close()
  }
})

test('on a worker its process is there, and the gateway keeps none', async () => {
  const more = 'fabric: { nats: { servers: ["nats://localhost:4222"], key: kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk } }'
  const config = await valid(`{ plugin: ${unruly}, isolation: process, runsOn: workers }`, more)
  const bus = createMemoryBus()
  const worker = await createWorker({ config, fabric: createMemoryFabric(bus) })
  const node = await createNode({ config, fabric: createMemoryFabric(bus) })
  try {
    const { http } = await node.listen()
    const session = await open(http.url)
    expect(await call(http.url, session, 'echo', 'from a worker')).toMatchObject({
      content: [{ text: 'from a worker' }],
    })
    const processes = listDescendants().filter(({ command }) => command.includes('plugin-host'))
    expect(processes).toHaveLength(1)
  } finally {
    await node.close()
    await worker.close()
  }
})

test('a node that is killed takes the process with it, also one in a loop', async () => {
  const file = write(
    'killed.yaml',
    `listen: { http: { port: 0 } }\nbackends: { one: { plugin: ${unruly}, isolation: process } }`,
  )
  const program = programFile(new URL('../../fixtures/serve-file.ts', import.meta.url))
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [address] = (await once(child.stdout, 'data')) as [Buffer]
  const url = String(address).trim()
  const session = await open(url)
  void call(url, session, 'loop').catch(() => undefined)
  const processes = await eventually(() => {
    const running = listDescendants(child.pid)
    expect(running.filter(({ command }) => command.includes('plugin-host'))).toHaveLength(1)
    return running
  })
  child.kill('SIGKILL')
  await untilGone(processes, 20_000)
})
