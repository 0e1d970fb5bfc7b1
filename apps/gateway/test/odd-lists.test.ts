import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CheckResult } from '../src/check/check.ts'
import { type JunctorProcess, startJunctor } from './junctor-process.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const token = 'a-token-for-tests'
const schema = { type: 'object' }

/** A program that is a server with these lists. */
function listing(lists: Readonly<Record<string, JsonObject>>): JsonObject {
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'odd', version: '1' },
  }
  const program = `process.stdin.on('data', (data) => { for (const line of String(data).trim().split('\\n')) {
    const { id, method } = JSON.parse(line)
    const result = ${JSON.stringify({ initialize, ...lists })}[method]
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no' } }) }))
  } })`
  return { command: process.execPath, args: ['-e', program] }
}

const tools: JsonValue = [
  null,
  5,
  'text',
  { name: 'fine', inputSchema: schema },
  { name: 'twice', inputSchema: schema },
  { name: 'twice', inputSchema: schema },
  { name: 'odd', inputSchema: null, annotations: 5, description: 7 },
]
const odd = listing({
  'tools/list': { tools },
  'prompts/list': { prompts: [null, { name: 'greet' }] },
  'resources/list': { resources: [false, { uri: 'file:///a' }, { uri: 7 }] },
  'resources/templates/list': { resourceTemplates: [[]] },
})
const backends = {
  demo: { plugin: '@junctor/plugin-demo' },
  odd,
  none: listing({ 'tools/list': { tools: { length: 1 } } }),
  pages: listing({ 'tools/list': { tools: [], nextCursor: 5 } }),
}
const warnings = [
  'tools[0]: got null, expected an object with a text "name"; not shown',
  'tools[1]: got 5, expected an object with a text "name"; not shown',
  'tools[2]: got "text", expected an object with a text "name"; not shown',
  'tools[5]: got "name" "twice" again, expected each name once; not shown',
  'tools[6]: got "description" 7, "inputSchema" null, "annotations" 5, expected text, a schema of type "object", ' +
    'an object of hints; shown without it',
  'resources[0]: got false, expected an object with a text "uri"; not shown',
  'resources[2]: got "uri" 7, expected an object with a text "uri"; not shown',
  'resourceTemplates[0]: got a list, expected an object with a text "uriTemplate"; not shown',
  'prompts[0]: got null, expected an object with a text "name"; not shown',
]

let folder: string
let gateway: JunctorProcess
let ready: { readonly http: string; readonly admin: string; readonly backends: readonly unknown[] }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-odd-'))
  const config = { listen: { http: { port: 0 }, admin: { port: 0, token } }, backends }
  writeFileSync(join(folder, 'junctor.yaml'), JSON.stringify(config))
  gateway = startJunctor(['serve', '--json', '--log-level', 'warn'], { folder })
  ready = JSON.parse(await gateway.line(/^(\{.*"http":.*)\n/m)) as typeof ready
})
afterAll(async () => {
  gateway.child.kill('SIGTERM')
  await gateway.ended()
  rmSync(folder, { recursive: true })
})

test('a gateway starts regardless of what its backends list, and shows their valid items', async () => {
  // The official client refuses a whole list because of one invalid item.
  const listed = startJunctor(['tools', '--json', '--url', ready.http], { folder })
  expect(await listed.ended()).toBe(0)
  expect(listed.stdout()).toContain('"demo__echo"')
  const names = [...listed.stdout().matchAll(/"name": ?"(odd__\w+)"/g)].map(([, name]) => name)
  expect(names).toEqual(['odd__fine', 'odd__twice', 'odd__odd'])
})

test('status shows what is wrong with each item and each list', async () => {
  const status = startJunctor(['status', '--admin', ready.admin, '--token', token, '--json'], { folder })
  expect(await status.ended()).toBe(0)
  const shown = JSON.parse(status.stdout()) as { backends: readonly { name: string }[] }
  const of = (name: string) => shown.backends.find((backend) => backend.name === name)
  expect(of('odd')).toMatchObject({ state: 'up', warnings })
  expect(of('none')).toMatchObject({
    error: '[PROTOCOL_VIOLATED] Expected the result of tools/list to have an array "tools"',
  })
  expect(of('pages')).toMatchObject({
    error: '[PROTOCOL_VIOLATED] Expected the "nextCursor" of tools/list to be text, got number',
  })
})

test('the log reports it once', () => {
  const lines = gateway.stderr().split('\n')
  const found = lines.filter((line) => line.includes('cannot be shown as it came') && line.includes('"backend":"odd"'))
  expect(found).toHaveLength(1)
  expect((JSON.parse(found[0] ?? '') as { items: unknown }).items).toEqual(warnings)
})

test('check reports it as a warning', async () => {
  const check = startJunctor(['check', '--json'], { folder })
  expect(await check.ended()).toBe(5)
  const { backends: checked, problems } = JSON.parse(check.stdout()) as CheckResult
  expect(checked.find(({ name }) => name === 'odd')).toMatchObject({ state: 'up', warnings })
  expect(checked.find(({ name }) => name === 'demo')).toMatchObject({ state: 'up', warnings: [] })
  expect(problems.map(({ backend, kind }) => `${backend} ${kind}`)).toEqual(['none no_lists', 'pages no_lists'])
})

test('the output for people shows it as well', async () => {
  const check = startJunctor(['check'], { folder })
  expect(await check.ended()).toBe(5)
  expect(check.stdout()).toContain('\nwarning odd: tools[0]: got null, expected')
  const status = startJunctor(['status', '--admin', ready.admin, '--token', token], { folder })
  expect(await status.ended()).toBe(0)
  expect(status.stdout()).toContain('\n      warning  tools[0]: got null, expected')
})
