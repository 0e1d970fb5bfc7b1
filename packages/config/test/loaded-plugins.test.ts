import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { type ConfigurablePlugin, type NamedPlugins, namedPlugins, parseConfig, showConfig } from '../src/index.ts'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

const builtIn: readonly ConfigurablePlugin[] = [
  { name: '@junctor/plugin-demo', key: 'plugin', config: z.strictObject({}) },
]

function named(text: string, env: Record<string, string> = {}): NamedPlugins {
  return namedPlugins(text, { file: 'junctor.yaml', plugins: builtIn, env })
}

test('packages and paths of own backends are named once each, with references replaced', () => {
  const text = `
backends:
  one: { plugin: ./tides.ts }
  two: { plugin: "@acme/weather", url: x }
  three: { plugin: ./tides.ts }
  four: { plugin: "\${env:PLUGIN}" }
  five: { plugin: "@junctor/plugin-demo" }
  six: { command: node }
  seven: { plugin: 7 }
  eight:
`
  expect(named(text, { PLUGIN: '/opt/more.ts' })).toEqual({
    inNode: ['./tides.ts', '@acme/weather', '/opt/more.ts'],
    isolated: [],
  })
})

test.each([
  [
    'servers of other programs',
    '{"mcpServers": {"one": {"plugin": "./tides.ts"}}, "servers": {"two": {"plugin": "./a"}}}',
  ],
  ['a file that cannot be parsed', 'backends: ['],
  ['a file of another form', '[]'],
  ['backends of another form', 'backends: [1]'],
  ['a reference without a value', 'backends: { one: { plugin: "${env:ABSENT}" } }'],
])('%s name no plugin', (_what, text) => {
  expect(named(text)).toEqual({ inNode: [], isolated: [] })
})

test.each([
  ['process'],
  ['{ process: {} }'],
  ['{ process: { memory: 512MiB }, scope: session }'],
  // Perhaps a misspelt `process`: code that is not trusted must not be loaded here because of that.
  ['proces'],
  ['{ proces: {} }'],
  ['[process]'],
  ['true'],
])('with isolation %s nothing is loaded in the node', (isolation) => {
  expect(named(`backends: { one: { plugin: ./tides.ts, isolation: ${isolation} } }`)).toEqual({
    inNode: [],
    isolated: ['./tides.ts'],
  })
})

const anyOptions = { kind: 'loaded', plugin: { name: 'a', key: 'plugin', config: z.unknown() } } as const

function isolated(backend: string) {
  const options = { file: 'junctor.yaml', plugins: builtIn, env: {}, isolated: new Map([['./a.ts', anyOptions]]) }
  return parseConfig(`backends:\n  one: ${backend}`, options)
}

test.each([
  ['process', 'tenant', 256],
  ['{ process: {} }', 'tenant', 256],
  ['{ process: { memory: 1GiB }, scope: session }', 'session', 1024],
])('isolation %s gives a process, and shares links by %s', (isolation, scope, mebibytes) => {
  expect(isolated(`{ plugin: ./a.ts, isolation: ${isolation} }`)).toMatchObject({
    config: { backends: [{ isolation: scope, process: { memoryBytes: mebibytes * 1024 ** 2 } }] },
  })
})

test.each([
  ['{ plugin: "@junctor/plugin-demo", isolation: process }', 'which is built in'],
  ['{ command: node, isolation: process }', '"process"'],
  ['{ plugin: ./a.ts, isolation: proces }', '"proces"'],
  ['{ plugin: ./a.ts, isolation: { process: { memory: 5 } } }', '5'],
  ['{ plugin: ./a.ts, isolation: { process: { memory: 1MiB } } }', '"1MiB"'],
])('%s is one problem, of its isolation', (backend, got) => {
  expect(isolated(backend)).toMatchObject({
    problems: [{ path: expect.stringMatching(/^backends\.one\.isolation/), got: expect.stringContaining(got) }],
  })
})

test('a loaded plugin checks its options, which may have the words of other plugins', () => {
  const { backends } = parsing.valid('backends: { one: { plugin: ./tides.ts, url: "https://x.example" } }')
  expect(backends).toMatchObject([
    { plugin: { name: 'tides' }, word: 'plugin', options: { url: 'https://x.example' }, isolation: 'tenant' },
  ])
  expect(parsing.problems('backends: { one: { plugin: ./tides.ts, url: no } }')).toEqual([
    expect.stringContaining('backends.one.url'),
  ])
})

test.each([
  ['./tides.ts', './tides.ts'],
  ['${env:PLUGIN}', '(secret)'],
])('a plugin that the file names as %s is shown as %s, not by its own name', (written, shown) => {
  const tides = { kind: 'loaded', plugin: { name: 'tides', key: 'plugin', config: z.strictObject({}) } } as const
  const loaded = new Map([['./tides.ts', tides]])
  const options = { file: 'junctor.yaml', plugins: builtIn, env: { PLUGIN: './tides.ts' }, loaded }
  const parsed = parseConfig(`backends: { one: { plugin: "${written}" } }`, options)
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  expect(showConfig(parsed.config, {})).toMatchObject({ backends: { one: { plugin: shown } } })
})

test('the file of a plugin belongs to the files of the configuration, also when it cannot be loaded', () => {
  const failed = { kind: 'failed', got: 'x', expected: 'y', next: 'z', files: ['/plugins/a.ts'] } as const
  const options = { file: 'junctor.yaml', plugins: [], env: {}, loaded: new Map([['./a.ts', failed]]) }
  const { kind, files } = parseConfig('backends: { one: { plugin: ./a.ts } }', options)
  expect({ kind, files }).toEqual({ kind: 'invalid', files: ['/plugins/a.ts'] })
})

test('a plugin that cannot be loaded, and looks like a built-in one, is probably that one', () => {
  const reference = '@junctor/plugin-dmeo'
  const failed = { kind: 'failed', got: 'x', expected: 'y', next: 'z' } as const
  const options = { file: 'junctor.yaml', plugins: builtIn, env: {}, loaded: new Map([[reference, failed]]) }
  expect(parseConfig(`backends: { one: { plugin: "${reference}" } }`, options)).toMatchObject({
    problems: [{ kind: 'plugin_not_loaded', next: 'Did you mean "@junctor/plugin-demo"?' }],
  })
})

test.each([
  ['asynchronous', z.strictObject({}).refine(async () => true)],
  ['none', { _zod: {} } as never],
])('a schema that is %s is a problem of the line that names the plugin', (_what, config) => {
  const loaded = new Map([['./a.ts', { kind: 'loaded', plugin: { name: 'a', key: 'plugin', config } } as const]])
  const options = { file: 'junctor.yaml', plugins: builtIn, env: {}, loaded }
  expect(parseConfig('backends:\n  one: { plugin: ./a.ts }', options)).toMatchObject({
    problems: [{ kind: 'plugin_not_loaded', path: 'backends.one.plugin', line: 2, expected: 'a schema that works' }],
  })
})

test('a plugin with an option that every backend has is the problem, not the value that never reaches it', () => {
  const config = z.strictObject({ timeout: z.number() })
  const loaded = new Map([['./a.ts', { kind: 'loaded', plugin: { name: 'a', key: 'plugin', config } } as const]])
  const options = { file: 'junctor.yaml', plugins: builtIn, env: {}, loaded }
  expect(parseConfig('backends:\n  one: { plugin: ./a.ts, timeout: 30s }', options)).toMatchObject({
    problems: [
      {
        kind: 'plugin_not_loaded',
        path: 'backends.one.plugin',
        next: expect.stringContaining('another name: "timeout"'),
      },
    ],
  })
})

test('a word that two built-in plugins have chooses neither, and both are named; one that is given twice is one', () => {
  const clock: ConfigurablePlugin = { name: 'clock', key: 'at', config: z.looseObject({}) }
  const parsed = (plugins: readonly ConfigurablePlugin[]) =>
    parseConfig('backends: { wall: { at: Oslo } }', { file: 'junctor.yaml', plugins, env: {} })
  expect(parsed([clock, clock])).toMatchObject({ kind: 'valid' })
  expect(parsed([clock, { ...clock, name: 'tower' }])).toMatchObject({
    problems: [{ path: 'backends.wall.at', column: 21, got: 'at, which is the word of clock and of tower' }],
  })
})

test('a built-in plugin whose word is an option of every backend is the problem, only where no other word chooses', () => {
  const clock: ConfigurablePlugin = { name: 'clock', key: 'timeout', config: z.looseObject({}) }
  const plugins = [clock, { ...clock, name: 'tower', key: 'at' }]
  const parsed = (backend: string) =>
    parseConfig(`backends: { wall: ${backend} }`, { file: 'junctor.yaml', plugins, env: {} })
  expect(parsed('{ timeout: 3s }')).toMatchObject({
    problems: [{ path: 'backends.wall.timeout', next: 'Give the plugin another key in definePlugin.' }],
  })
  expect(parsed('{ at: Oslo, timeout: 3s }')).toMatchObject({ kind: 'valid' })
})

test('a plugin that a file names is looked up in the folder that the other paths start from', () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'name.txt'), '@acme/weather\n')
  const text = 'backends: { weather: { plugin: "${file:name.txt}" } }'
  const place = { file: '/elsewhere/junctor.yaml', folder, plugins: [], env: {} }
  expect(namedPlugins(text, place)).toEqual({ inNode: ['@acme/weather'], isolated: [] })
})
