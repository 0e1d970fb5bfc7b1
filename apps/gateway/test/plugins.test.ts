import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CheckResult } from '../src/check/check.ts'
import { startJunctor } from './junctor-process.ts'

// Plugins that are files and packages, in the real process: only Node itself knows what it can load.
vi.setConfig({ testTimeout: 90_000 })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-plugins-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const weather = `
import { createBackend, createTool, definePlugin } from '@junctor/plugin-sdk'
import { z } from 'zod'

export default definePlugin({
  name: 'weather',
  key: 'plugin',
  config: z.strictObject({ city: z.string() }),
  create({ city }: { city: string }, { name }) {
    const forecast = createTool({
      metadata: { name: 'forecast', description: 'Tells the weather', inputSchema: z.strictObject({}) },
      handler: () => \`sun in \${city}\`,
    })
    return createBackend({ name, tools: [forecast] })
  },
})
`

async function check(): Promise<CheckResult> {
  const junctor = startJunctor(['check', '--json'], { folder })
  await junctor.ended()
  expect(junctor.stderr()).toBe('')
  return JSON.parse(junctor.stdout()) as CheckResult
}

test('files of TypeScript and CommonJS without packages are checked, listed and called', async () => {
  write({
    'junctor.yaml':
      'backends:\n  sky: { plugin: ./plugins/weather.ts, city: Oslo }\n  old: { plugin: ./plugins/old.cjs }\n  demo: { plugin: "@junctor/plugin-demo" }\n',
    'plugins/weather.ts': weather,
    'plugins/old.cjs': `
const { createBackend, definePlugin } = require('@junctor/plugin-sdk')
const { z } = require('zod')
module.exports = definePlugin({ name: 'old', key: 'plugin', config: z.strictObject({}), create: (_, { name }) => createBackend({ name }) })`,
  })
  const backends = [{ name: 'sky', state: 'up' }, { name: 'old', state: 'up' }, { name: 'demo' }]
  expect(await check()).toMatchObject({ problems: [], backends })
  const called = startJunctor(['call', 'sky__forecast'], { folder })
  expect(await called.ended()).toBe(0)
  expect(called.stdout()).toContain('sun in Oslo')
})

test('each plugin that Node cannot load is a problem at its line, beside those of options', async () => {
  write({
    'junctor.yaml': `backends:
  enum: { plugin: ./enum.ts }
  text: { plugin: ./data.txt }
  typed: { plugin: "@acme/typed" }
  sky: { plugin: ./weather.ts, town: Oslo }
  absent: { plugin: "@acme/absent" }
`,
    'enum.ts': 'enum A { b }',
    'data.txt': 'hello',
    'weather.ts': weather,
    'node_modules/@acme/typed/package.json': '{ "type": "module", "exports": "./typed.ts" }',
    'node_modules/@acme/typed/typed.ts': 'export default 1',
  })
  const { problems } = await check()
  expect(problems.map(({ line, kind, next }) => [line, kind, next])).toEqual([
    [2, 'plugin_not_loaded', expect.stringContaining('erased')],
    [3, 'plugin_not_loaded', expect.stringContaining('ends in .ts')],
    [4, 'plugin_not_loaded', expect.stringContaining('must contain JavaScript')],
    [5, 'missing_value', expect.anything()],
    [5, 'unknown_word', expect.anything()],
    [6, 'plugin_not_loaded', expect.stringContaining('npm install @acme/absent')],
  ])
})

test('commands that look for a running gateway run no code of plugins', async () => {
  write({
    'junctor.yaml':
      'backends: { one: { plugin: ./shout.ts } }\nlisten: { admin: { port: 1, token: "0123456789abcdef" } }\n',
    'shout.ts': "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('shouted', import.meta.url), '')",
  })
  const status = startJunctor(['status'], { folder })
  await status.ended()
  expect(status.stderr()).toContain('127.0.0.1:1')
  write({ 'junctor.yaml': 'backends: { one: { plugin: ./shout.ts } }' })
  expect(await check()).toMatchObject({ problems: [{ kind: 'plugin_not_loaded', line: 1 }] })
})

test('a plugin that changes is loaded again while sessions stay; one that is broken leaves the earlier one in use', async () => {
  write({
    'junctor.yaml': 'listen: { http: { port: 0 } }\nbackends: { sky: { plugin: ./weather.ts, city: Oslo } }\n',
    'weather.ts': weather,
  })
  const junctor = startJunctor(['serve', '--json'], { folder })
  const url = await junctor.line(/"http":"([^"]+)"/)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const forecast = async (): Promise<unknown> => {
    const { content } = await client.callTool({ name: 'sky__forecast', arguments: {} })
    return (content as readonly { readonly text: string }[])[0]?.text
  }
  try {
    expect(await forecast()).toBe('sun in Oslo')
    write({ 'weather.ts': 'throw new Error("broken")' })
    await junctor.line(/(the new configuration has a problem)/)
    expect(await forecast()).toBe('sun in Oslo')
    write({ 'weather.ts': weather.replace('sun in', 'rain in') })
    await expect.poll(forecast, { timeout: 20_000 }).toBe('rain in Oslo')
  } finally {
    await client.close()
    junctor.child.kill('SIGTERM')
    expect(await junctor.ended()).toBe(0)
  }
})

test('a signal ends the start that waits for a plugin which never makes its backend', async () => {
  const never = `
import { definePlugin } from '@junctor/plugin-sdk'
import { z } from 'zod'

export default definePlugin({
  name: 'never',
  key: 'plugin',
  config: z.strictObject({}),
  create() {
    console.error('asked to make it')
    return new Promise(() => {})
  },
})
`
  write({ 'junctor.yaml': 'backends: { sky: { plugin: ./never.ts } }\n', 'never.ts': never })
  const junctor = startJunctor(['serve', '--json'], { folder })
  try {
    await junctor.line(/(asked to make it)/)
  } finally {
    junctor.child.kill('SIGTERM')
  }
  expect(await junctor.ended()).toBe(0)
})

test('a module whose timers throw while it loads, and later, harms nothing', async () => {
  const careless = `
setTimeout(() => { throw new Error('thrown at once') })
setInterval(() => { throw new Error('thrown later') }, 20)
`
  write({
    'junctor.yaml': 'listen: { http: { port: 0 } }\nbackends: { sky: { plugin: ./weather.ts, city: Oslo } }\n',
    'weather.ts': weather + careless,
  })
  const junctor = startJunctor(['serve', '--json'], { folder })
  try {
    const http = await junctor.line(/"http":"([^"]+)"/)
    await junctor.line(/(thrown later)/)
    const called = startJunctor(['call', 'sky__forecast', '--url', http], { folder })
    expect(await called.ended()).toBe(0)
    expect(called.stdout()).toContain('sun in Oslo')
    expect(junctor.stderr()).toContain('thrown at once')
    expect(junctor.stderr()).toContain('weather.ts')
  } finally {
    junctor.child.kill('SIGTERM')
  }
  expect(await junctor.ended()).toBe(0)
})

test.each([
  ['as an ECMAScript module', 'ends.mjs', 'process.exit(0)'],
  ['as a CommonJS module', 'ends.cjs', 'process.exit(0)'],
  ['later, while it loads', 'ends.mjs', 'setTimeout(() => process.exit(0))\nawait new Promise(() => {})'],
])('a plugin that ends the process %s is named, and the command fails', async (_how, file, code) => {
  write({ 'junctor.yaml': `backends:\n  a: { plugin: ./${file} }\n`, [file]: code })
  const junctor = startJunctor(['check'], { folder })
  expect(await junctor.ended()).toBe(1)
  expect(junctor.stderr()).toMatch(new RegExp(`process\\.exit\\(0\\), at .*${file}:1\\.`))
})
