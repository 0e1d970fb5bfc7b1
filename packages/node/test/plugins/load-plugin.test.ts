import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importPlugin } from '../../src/plugins/import-plugin.ts'
import { loadPlugin } from '../../src/plugins/load-plugin.ts'
import { readConfig } from '../../src/plugins/read-config.ts'

// What only Node itself refuses is tested with the command, in `apps/gateway/test/plugins.test.ts`.

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-plugins-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): string {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** The source of a plugin, without its SDK: as a package with a copy of its own makes it. */
function source(name: string, more = ''): string {
  return `{ contract: 1, name: '${name}', key: 'plugin', config: { _zod: {} }, create() {}, ${more} }`
}

const exported = (name: string, more?: string): string => `export default ${source(name, more)}`

async function nameOf(reference: string): Promise<unknown> {
  const loaded = await loadPlugin(reference, folder)
  return loaded.kind === 'loaded' ? loaded.plugin.name : loaded
}

test.each([
  ['./a.ts', 'a.ts', `const typed: number = 1\n${exported('a', 'typed')}`],
  ['./b.js', 'b.js', exported('b')],
  ['./c.mjs', 'c.mjs', exported('c')],
  ['./d.cjs', 'd.cjs', `module.exports = ${source('d')}`],
  ['./compiled.cjs', 'compiled.cjs', `exports.__esModule = true\nexports.default = ${source('compiled')}`],
  ['./one.ts', 'one.ts', `export const other = 1\nexport const plugin = ${source('one')}`],
  ['./twice.ts', 'twice.ts', `const plugin = ${source('twice')}\nexport { plugin, plugin as default, plugin as more }`],
  ['./indexed', 'indexed/index.ts', exported('indexed')],
])('%s is loaded', async (reference, name, text) => {
  const file = write(name, text)
  expect(await nameOf(reference)).toBe(name.split(/[./]/)[0])
  expect(await nameOf(file)).toBe(name.split(/[./]/)[0])
  expect(await loadPlugin(reference, folder)).toHaveProperty('files', [file])
})

test('a folder is loaded as its manifest says', async () => {
  write('main/package.json', '{ "name": "main", "main": "./lib.js", "type": "module" }')
  write('main/lib.js', exported('main'))
  expect(await nameOf('./main')).toBe('main')
  write('exports/package.json', '{ "name": "x", "type": "module", "exports": { ".": { "import": "./lib.js" } } }')
  write('exports/lib.js', exported('exports'))
  expect(await nameOf('./exports')).toBe('exports')
})

test('a package that is not built is told, as what it is', async () => {
  write('unbuilt/package.json', '{ "name": "unbuilt", "type": "module", "exports": "./dist/index.js" }')
  expect(await nameOf('./unbuilt')).toMatchObject({
    kind: 'failed',
    got: `${join(folder, 'unbuilt/dist/index.js')}, which does not exist`,
    next: expect.stringContaining('npm run build'),
  })
})

test('a package beside the configuration is loaded, as one that only ECMAScript modules may import, and is not watched', async () => {
  write('node_modules/@acme/weather/package.json', '{ "type": "module", "exports": { "import": "./w.js" } }')
  write('node_modules/@acme/weather/w.js', exported('@acme/weather'))
  expect(await nameOf('@acme/weather')).toBe('@acme/weather')
  expect(await loadPlugin('@acme/weather', folder)).not.toHaveProperty('file')
})

test('a package beside Junctor is loaded when the configuration has none', async () => {
  // The package of the built-in demo is not a dependency of this one; the SDK is, and is no plugin.
  expect(await loadPlugin('@junctor/plugin-sdk', folder)).toMatchObject({ expected: 'a plugin as default export' })
})

test.each([
  ['./changing.ts', 'export default'],
  ['./changing.cjs', 'module.exports ='],
])(
  'a file whose content has changed is loaded again, and is the same plugin as long as it has not: %s',
  async (reference, exports) => {
    write(reference, `${exports} ${source('first')}`)
    const [first, same] = [await loadPlugin(reference, folder), await loadPlugin(reference, folder)]
    expect(first).toMatchObject({ plugin: { name: 'first' } })
    expect(first.kind === 'loaded' && same.kind === 'loaded' && first.plugin === same.plugin).toBe(true)
    write(reference, `${exports} ${source('second')}`)
    expect(await nameOf(reference)).toBe('second')
  },
)

test.each([
  ['parts', `const plugin = require('./parts/plugin')\nmodule.exports = plugin`],
  ['whole', `module.exports = require('./whole/plugin')`],
])('a module of CommonJS is loaded again when one that it requires has changed: %s', async (name, content) => {
  const entry = write(`${name}.cjs`, content)
  const part = write(`${name}/plugin.js`, `module.exports = ${source('first')}`)
  expect(await loadPlugin(`./${name}.cjs`, folder)).toMatchObject({ plugin: { name: 'first' }, files: [entry, part] })
  for (const version of ['second', 'third']) {
    write(`${name}/plugin.js`, `module.exports = ${source(version)}`)
    // oxlint-disable-next-line no-await-in-loop -- each version replaces the one before
    expect(await nameOf(`./${name}.cjs`)).toBe(version)
  }
})

test.each([
  ['./none.ts', '', 'a module without exports', 'Export the result of definePlugin'],
  ['./empty.cjs', 'exports = {}', 'a module without exports', 'Export the result of definePlugin'],
  ['./common.cjs', 'exports.a = 1', 'a module that exports a, default', 'Export the result of definePlugin'],
  ['./other.ts', 'export const a = 1, b = 2', 'a module that exports a, b', 'Export the result of definePlugin'],
  ['./two.ts', `export const a = ${source('a')}, b = ${source('b')}`, 'a module with 2 plugins', 'default export'],
  ['./newer.ts', exported('n', 'contract: 2'), 'a plugin of contract 2', '@junctor/plugin-sdk'],
  ['./nameless.ts', exported(''), 'a plugin whose name is something else', 'name'],
  ['./keys.ts', exported('k', 'key: [1]'), 'a plugin whose key is something else', 'key'],
  [
    './zod3.ts',
    exported('z', 'config: { _def: {} }'),
    'a plugin whose config is a schema of zod 3',
    '"zod/v4" of 3.25',
  ],
  ['./null.ts', exported('z', 'config: null'), 'a plugin whose config is something else', 'config'],
  ['./create.ts', exported('z', 'create: 1'), 'a plugin whose create is something else', 'create'],
  ['./keyless.ts', exported('k', 'key: undefined'), 'a plugin without key', 'Add key to definePlugin'],
  ['./setup.js', 'export default { contract: 1, name: "s", setup() {} }', 'a plugin without key', 'Add key'],
  ['./throws.ts', "throw new Error('no\\nstack')", 'throws.ts, which fails with: no', 'node FOLDER/throws.ts'],
  ['./bare.ts', 'throw Object.create(null)', 'bare.ts, which fails with', 'node FOLDER/bare.ts'],
  ['./odd.ts', 'throw Object.assign(new Error(), { message: 5 })', 'odd.ts, which fails with: 5', 'node FOLDER/odd.ts'],
  [
    './trap.ts',
    'export default new Proxy({}, { has() { throw new Error("trap") } })',
    'trap.ts, which fails with: trap',
    'node FOLDER/trap.ts',
  ],
  ['./nothing.ts', 'throw null', 'nothing.ts, which fails with: null', 'node FOLDER/nothing.ts'],
  ['./syntax.ts', 'export default {', 'syntax.ts, which fails with', 'node FOLDER/syntax.ts'],
  ['./missing.ts', "import '@acme/absent'", "Cannot find package '@acme/absent'", 'npm install in FOLDER'],
  ['./endless.ts', "import './tool'", 'FOLDER/tool', 'its ending: tool is FOLDER/tool.ts'],
  ['./compiled.ts', "import './tool.js'", 'FOLDER/tool.js', 'its ending: tool.js is FOLDER/tool.ts'],
  ['./nowhere.ts', "import './nothing-there.ts'", 'FOLDER/nothing-there.ts', 'Correct the path'],
  ['@acme/other', exported('@acme/weather'), 'a plugin named "@acme/weather"', 'the name of its package'],
])('%s is a clear problem', async (reference, text, got, next) => {
  const isPackage = reference.startsWith('@')
  write('tool.ts', '')
  if (isPackage) {
    write(`node_modules/${reference}/package.json`, `{ "type": "module", "exports": "./w.js" }`)
    write(`node_modules/${reference}/w.js`, text)
  } else write(reference, text)
  expect(await loadPlugin(reference, folder)).toMatchObject({
    kind: 'failed',
    got: expect.stringContaining(got.replace('FOLDER', folder)),
    next: expect.stringContaining(next.replace('FOLDER', folder)),
  })
})

test.each([
  ['./absent.ts', 'does not exist'],
  ['@acme/absent', 'not installed'],
  ['https://example.com/plugin.js', 'https://example.com/plugin.js'],
  ['data:text/javascript,1', 'data:text/javascript,1'],
  ['node:fs', 'node:fs'],
  ['file:///etc/passwd', 'file:///etc/passwd'],
  ['', ''],
])('%j names nothing that can be loaded', async (reference, got) => {
  expect(await loadPlugin(reference, folder)).toMatchObject({ kind: 'failed', got: expect.stringContaining(got) })
})

test("a package that Yarn Plug'n'Play keeps elsewhere is a problem of its linker", async () => {
  Object.defineProperty(process.versions, 'pnp', { value: '3', configurable: true, enumerable: true })
  try {
    expect(await loadPlugin('@acme/absent', folder)).toMatchObject({
      next: expect.stringContaining('nodeLinker: node-modules'),
    })
  } finally {
    Reflect.deleteProperty(process.versions, 'pnp')
  }
})

test('a module that never finishes loading is a problem', async () => {
  const file = write('hangs.ts', 'await new Promise(() => {})')
  expect(await importPlugin(file, { files: [file], version: '0123456789abcdef' }, 50)).toMatchObject({
    kind: 'failed',
    got: expect.stringContaining('not loaded after'),
  })
})

test.each([undefined, () => ({}), { name: 'x' }])('%o is no plugin to build in, which is said', async (given) => {
  const reading = readConfig(write('junctor.yaml', 'backends: {}'), { plugins: [given as never], env: {} })
  await expect(reading).rejects.toThrow(
    'expected what definePlugin returns in "plugins", got something else as plugins[0]',
  )
})
