import { afterAll, expect, test } from 'vitest'
import { namedPlugins, parseConfig } from '../src/index.ts'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

const builtIn = [{ name: '@junctor/plugin-demo', key: 'plugin', config: {} as never }]

function named(text: string, env: Record<string, string> = {}): readonly string[] {
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
  expect(named(text, { PLUGIN: '/opt/more.ts' })).toEqual(['./tides.ts', '@acme/weather', '/opt/more.ts'])
})

test.each([
  [
    'servers of other programs',
    '{"mcpServers": {"one": {"plugin": "./tides.ts"}}, "servers": {"two": {"plugin": "./a"}}}',
  ],
  ['a misspelt built-in plugin', 'backends: { one: { plugin: "@junctor/plugin-dmeo" } }'],
  ['a file that cannot be parsed', 'backends: ['],
  ['a file of another form', '[]'],
  ['backends of another form', 'backends: [1]'],
  ['a reference without a value', 'backends: { one: { plugin: "${env:ABSENT}" } }'],
])('%s name no plugin', (_what, text) => {
  expect(named(text)).toEqual([])
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

test('the file of a plugin belongs to the files of the configuration, also when it cannot be loaded', () => {
  const failed = { kind: 'failed', got: 'x', expected: 'y', next: 'z', file: '/plugins/a.ts' } as const
  const options = { file: 'junctor.yaml', plugins: [], env: {}, loaded: new Map([['./a.ts', failed]]) }
  const { kind, files } = parseConfig('backends: { one: { plugin: ./a.ts } }', options)
  expect({ kind, files }).toEqual({ kind: 'invalid', files: ['/plugins/a.ts'] })
})
