import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CheckLine } from '../src/plugin-check/check-line.ts'
import { startJunctor } from './junctor-process.ts'

// Real folders, and the real command: each check starts Node several times, and npm.
vi.setConfig({ testTimeout: 120_000 })

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'junctor-plugin-check-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

const repository = resolve(import.meta.dirname, '../../..')

/** Installs what a plugin needs, without a registry. */
function install(...names: readonly string[]): void {
  const places: Readonly<Record<string, string>> = {
    '@junctor/plugin-sdk': join(repository, 'packages/plugin-sdk'),
    zod: join(repository, 'packages/plugin-sdk/node_modules/zod'),
    typescript: dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    '@types/node': join(repository, 'node_modules/@types/node'),
  }
  for (const name of names) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(places[name] ?? '', join(folder, 'node_modules', name))
  }
  if (!names.includes('typescript')) return
  mkdirSync(join(folder, 'node_modules/.bin'))
  symlinkSync('../typescript/bin/tsc', join(folder, 'node_modules/.bin/tsc'))
}

/** A plugin of JavaScript with one tool. `at` has code for its places. */
function source(at: { load?: string; tool?: string; create?: string; name?: string; tools?: string } = {}): string {
  const handler = at.tool ?? "handler: () => 'sun'"
  return `import { createBackend, createTool, definePlugin } from '@junctor/plugin-sdk'
import { z } from 'zod'
${at.load ?? ''}
const inputSchema = z.strictObject({})
const forecast = createTool({
  metadata: { name: 'forecast', description: 'Tells the weather', inputSchema, annotations: { readOnlyHint: true } },
  ${handler},
})
export default definePlugin({
  name: '${at.name ?? '@acme/weather'}',
  key: 'plugin',
  config: z.strictObject({ city: z.string().optional() }),
  create(config, { name }) {
    ${at.create ?? ''}
    return createBackend({ name, tools: ${at.tools ?? '[forecast]'} })
  },
})
`
}

const manifest = {
  name: '@acme/weather',
  version: '1.0.0',
  type: 'module',
  exports: './dist/index.js',
  files: ['dist'],
  dependencies: { '@junctor/plugin-sdk': '*', zod: '*' },
}

interface Checked {
  readonly code: unknown
  readonly ok: boolean
  readonly lines: ReadonlyMap<string, CheckLine>
  /** The states, by check. */
  readonly states: Readonly<Record<string, string>>
}

async function check(...words: readonly string[]): Promise<Checked> {
  const env = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_update_notifier: 'false', HOME: folder }
  const junctor = startJunctor(['plugin', 'check', '--json', ...words], { folder, env })
  const code = await junctor.ended()
  expect(junctor.stderr()).toBe('')
  const { ok, checks } = JSON.parse(junctor.stdout()) as { ok: boolean; checks: readonly CheckLine[] }
  const lines = new Map(checks.map((line) => [line.check, line]))
  return { code, ok, lines, states: Object.fromEntries(checks.map(({ check: name, state }) => [name, state])) }
}

/** Each problem with its next step, in one text. */
function problemsOf({ lines }: Checked, name: string): string {
  return (lines.get(name)?.problems ?? []).map(({ problem, next }) => `${problem} -> ${next}`).join('\n')
}

const well = { load: 'ok', options: 'ok', start: 'ok', behaviour: 'ok', close: 'ok', output: 'ok' }

describe('a package that is well', () => {
  test('of TypeScript, as junctor plugin new makes it', async () => {
    const junctor = startJunctor(['plugin', 'new', '@acme/weather', '--dir', '.'], { folder })
    expect(await junctor.ended()).toBe(0)
    install('@junctor/plugin-sdk', 'zod', 'typescript', '@types/node')
    const checked = await check()
    expect(checked).toMatchObject({ code: 0, ok: true })
    expect(checked.states).toEqual({ ...well, types: 'ok', manifest: 'ok', packed: 'ok' })
  })

  test('of JavaScript, with options from a file and a call', async () => {
    install('@junctor/plugin-sdk', 'zod')
    write({
      'package.json': { ...manifest, exports: './src/index.js', files: ['src'] },
      'src/index.js': source({ create: "if (config.city !== 'Oslo') throw new Error('no city')" }),
      'options.yaml': 'city: ${env:PLACE}\n',
      'bad.yaml': 'town: Oslo\n',
    })
    const refused = await check('--options', 'bad.yaml')
    expect(refused).toMatchObject({ code: 3, ok: false, states: { options: 'failed' } })
    expect(problemsOf(refused, 'options')).toContain('town')
    const env = { PLACE: 'Oslo', HOME: folder }
    const words = ['plugin', 'check', '--options', 'options.yaml', '--call', 'forecast={}']
    const junctor = startJunctor(words, { folder, env })
    expect(await junctor.ended()).toBe(0)
    expect(junctor.stdout()).toMatch(/^ok {7}load {7}@acme\/weather\n(?:ok {7}.*\n){8}\nAll is well\.\n$/)
  })
})

describe('the packed form', () => {
  test('that forgets what it exports is reported', async () => {
    install('@junctor/plugin-sdk', 'zod')
    write({ 'package.json': manifest, 'src/index.js': source() })
    const checked = await check()
    expect(checked).toMatchObject({ code: 1, states: { ...well, manifest: 'ok', packed: 'failed' } })
    expect(problemsOf(checked, 'packed')).toMatch(/dist\/index\.js/)
  })

  test('that was built from an earlier source is reported', async () => {
    install('@junctor/plugin-sdk', 'zod')
    write({ 'package.json': manifest, 'src/index.js': source(), 'dist/index.js': source({ tools: '[]' }) })
    const checked = await check()
    expect(checked).toMatchObject({ code: 1, states: { ...well, packed: 'failed' } })
    expect(problemsOf(checked, 'packed')).toMatch(/offers nothing, the source forecast -> Build it before it is packed/)
  })

  test('that exports TypeScript is reported, although the gateway loads the source', async () => {
    install('@junctor/plugin-sdk', 'zod')
    write({
      'package.json': { ...manifest, exports: './src/index.ts', files: ['src'] },
      'src/index.ts': source(),
    })
    const checked = await check()
    expect(checked).toMatchObject({ code: 1, states: { ...well, types: 'skipped', packed: 'failed' } })
    expect(problemsOf(checked, 'packed')).toContain('compile the TypeScript before it is published')
    expect(problemsOf(checked, 'types')).toContain('npm install --save-dev typescript')
  })

  test('of another name, that does not declare what it imports, is reported', async () => {
    install('@junctor/plugin-sdk', 'zod')
    write({
      'package.json': { ...manifest, name: '@acme/sky', dependencies: { zod: 'file:../zod' } },
      'dist/index.js': source(),
      'node_modules/left/package.json': { name: 'left', version: '1.0.0', exports: './index.js' },
      'node_modules/left/index.js': '',
    })
    const renamed = await check()
    expect(renamed).toMatchObject({ code: 1, states: { ...well, manifest: 'failed', packed: 'failed' } })
    expect(problemsOf(renamed, 'packed')).toContain('got a plugin named "@acme/weather"')
    expect(problemsOf(renamed, 'manifest')).toMatch(
      /@junctor\/plugin-sdk in dependencies.* -> Run: npm install @junctor\/plugin-sdk\nzod is "file:/,
    )
    write({ 'package.json': manifest, 'dist/index.js': source({ load: "import 'left'" }) })
    const undeclared = await check()
    expect(undeclared).toMatchObject({ code: 1, states: { ...well, manifest: 'ok', packed: 'failed' } })
    expect(problemsOf(undeclared, 'packed')).toContain("Cannot find package 'left'")
  })

  test('of a package that cannot be packed is reported with what its script says', async () => {
    install('@junctor/plugin-sdk', 'zod')
    write({
      'package.json': { ...manifest, scripts: { prepack: 'no-such-compiler' } },
      'dist/index.js': source(),
    })
    const checked = await check()
    expect(checked).toMatchObject({ code: 1, states: { ...well, packed: 'failed' } })
    expect(problemsOf(checked, 'packed')).toMatch(
      /npm pack fails: .*no-such-compiler: (?:command )?not found -> Install what it needs: npm install/i,
    )
  })
})

describe('a plugin that breaks something', () => {
  test('types: errors of the compiler that is installed', async () => {
    install('@junctor/plugin-sdk', 'zod', 'typescript', '@types/node')
    write({ 'weather.ts': source({ load: "const days: number = 'many'\nconsole.error(days)" }) })
    const checked = await check('weather.ts')
    expect(checked).toMatchObject({ code: 1, states: { ...well, types: 'failed', packed: 'skipped' } })
    expect(problemsOf(checked, 'types')).toMatch(/weather\.ts\(3,7\): error TS2322/)
  })

  test('load: it throws, or it ends the process', async () => {
    write({
      'throws.js': source({ load: "throw new Error('no weather')" }),
      'ends.js': source({ load: 'process.exit(7)' }),
    })
    const throws = await check('throws.js')
    expect(throws).toMatchObject({ code: 5, states: { load: 'failed' } })
    expect(problemsOf(throws, 'load')).toMatch(/fails with: no weather.* -> Run it alone/)
    const ends = await check('ends.js')
    expect(ends).toMatchObject({ code: 5, states: { load: 'failed' } })
    expect(problemsOf(ends, 'load')).toMatch(
      /the process has ended with 7: .*process\.exit\(7\), at .*ends\.js:3\..* -> Throw an error/,
    )
  })

  test('start: it cannot be made', async () => {
    write({ 'weather.js': source({ create: "throw new Error('no database')" }) })
    const checked = await check('weather.js')
    expect(checked).toMatchObject({ code: 5, states: { start: 'failed' } })
    expect(problemsOf(checked, 'start')).toContain('no database')
  })

  test('behaviour: lists that change, a result without what its schema wants, a call that goes on when it is cancelled', async () => {
    write({
      'changes.js': source()
        .replace('return createBackend', 'const backend = createBackend')
        .replace(
          'tools: [forecast] })',
          `tools: [forecast] })
    const open = backend.open.bind(backend)
    let count = 0
    const tool = () => ({ value: () => ({ name: 'tool' + (count += 1), description: 'x', inputSchema: { type: 'object' } }) })
    return { ...backend, async open(...given) {
      const link = await open(...given)
      return { ...link, list: async (kind) => (kind === 'tools' ? [tool()] : link.list(kind)) }
    } }`,
        ),
      'answers.js': source({ tool: "handler: () => ({ structuredContent: { days: 'x' } })" }).replace(
        'annotations:',
        'outputSchema: z.object({ days: z.number() }), annotations:',
      ),
      'waits.js': source({ tool: 'handler: () => new Promise(() => {})' }),
    })
    const changes = await check('changes.js')
    expect(changes).toMatchObject({ code: 5, states: { behaviour: 'failed' } })
    expect(problemsOf(changes, 'behaviour')).toMatch(
      /tools: expected the same list twice.* -> Keep to the rules of Link/,
    )
    const answers = await check('answers.js')
    expect(answers).toMatchObject({ code: 5, states: { ...well, behaviour: 'failed' } })
    expect(problemsOf(answers, 'behaviour')).toMatch(/tool forecast.*days.* -> Let the handler return/s)
    const waits = await check('waits.js')
    expect(waits).toMatchObject({ code: 5, states: { ...well, behaviour: 'failed' } })
    expect(problemsOf(waits, 'behaviour')).toMatch(/expected it to stop when cancelled.* -> Give the "signal"/)
  })

  test('output and close: it prints to standard output, and leaves a timer', async () => {
    write({
      'prints.js': source({ load: "console.log('hello')", create: 'setInterval(() => {}, 1000)' }),
    })
    const checked = await check('prints.js')
    expect(checked).toMatchObject({ code: 5, states: { ...well, close: 'failed', output: 'failed' } })
    expect(problemsOf(checked, 'output')).toMatch(/hello.* -> Use context\.log/)
    expect(problemsOf(checked, 'close')).toMatch(/holds Timeout -> Release in "close"/)
  })

  test('start: it does not close', async () => {
    const closes = "[forecast], async close() { throw new Error('no such file') }"
    write({ 'closes.js': source({ tools: closes }) })
    const checked = await check('closes.js')
    expect(problemsOf(checked, 'start')).toMatch(/did not close: .*no such file -> Release in "close"/)
  })
})

test.each([
  ['a path that does not exist', ['nowhere'], 'a folder or a file that exists'],
  ['options that are no object', ['--options', '{"city":'], 'Expected options'],
  ['a file of options that does not exist', ['--options', 'none.yaml'], 'none.yaml'],
  ['a call without a tool', ['--call', '={}'], 'Expected a call such as'],
  ['a call whose arguments are no object', ['--call', 'forecast=3'], 'Expected a call such as'],
])('%s is refused', async (_name, words, message) => {
  const junctor = startJunctor(['plugin', 'check', ...words], { folder })
  expect(await junctor.ended()).toBe(2)
  expect(junctor.stderr()).toContain(message)
})

test('the help has examples and exit codes, and not what is for the command itself', async () => {
  const junctor = startJunctor(['plugin', 'check', '--help'])
  expect(await junctor.ended()).toBe(0)
  expect(junctor.stdout()).toMatch(/^Usage: junctor plugin check [\s\S]*\nExamples:\n[\s\S]*\nExit codes:\n {2}0 /)
  expect(junctor.stdout()).not.toContain('--probe')
})
