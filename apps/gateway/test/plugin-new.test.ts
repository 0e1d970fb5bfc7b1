import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startJunctor } from './junctor-process.ts'

vi.setConfig({ testTimeout: 120_000 })

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../../..')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-new-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Stands for `npm install`: links packages of this repository into a folder. */
function install(into: string, packages: Readonly<Record<string, string>>): void {
  for (const [name, place] of Object.entries(packages)) {
    const link = join(into, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(repository, place), link)
  }
}

const sdk = { '@junctor/plugin-sdk': 'packages/plugin-sdk', zod: 'packages/plugin-sdk/node_modules/zod' }
const tools = { typescript: 'node_modules/typescript', '@types/node': 'node_modules/@types/node' }

async function junctor(...words: readonly string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const started = startJunctor(words, { folder })
  const code = await started.ended()
  return { code, stdout: started.stdout(), stderr: started.stderr() }
}

test('a new plugin passes its tests, compiles, is packed, and serves as an installed package', async () => {
  const made = await junctor('plugin', 'new', '@acme/weather')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain(`Wrote 10 files to ${folder}/weather:`)
  const weather = join(folder, 'weather')
  install(weather, { ...sdk, ...tools })

  expect((await run(process.execPath, ['--test', 'src/**/*.test.ts'], { cwd: weather })).stdout).toMatch(
    /^# pass 3$|ℹ pass 3$/m,
  )
  // The configuration that comes with it names the source.
  const tried = startJunctor(['call', 'weather__greet', 'name=Ada'], { folder: weather })
  expect(await tried.ended()).toBe(0)
  expect(tried.stdout()).toBe('Hello, Ada!\n')

  await run(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc')], { cwd: weather })
  const packed = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: weather })
  const tarball = join(folder, packed.stdout.trim())
  const installed = join(folder, 'node_modules/@acme/weather')
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  expect(readdirSync(join(installed, 'dist')).toSorted()).toEqual(
    ['config', 'index', 'plugin'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]),
  )
  install(folder, sdk)
  writeFileSync(join(folder, 'junctor.yaml'), "backends:\n  sky: { plugin: '@acme/weather', greeting: Moin }\n")
  expect(await junctor('call', 'sky__greet', 'name=Ada')).toMatchObject({ code: 0, stdout: 'Moin, Ada!\n' })
})

test('a folder with files is left alone, an empty one is used', async () => {
  mkdirSync(join(folder, 'empty'))
  mkdirSync(join(folder, 'weather'))
  writeFileSync(join(folder, 'weather/notes.txt'), 'mine')
  const refused = await junctor('plugin', 'new', 'weather')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain(`expected an empty folder, got ${folder}/weather`)
  expect(readdirSync(join(folder, 'weather'))).toEqual(['notes.txt'])
  expect(await junctor('plugin', 'new', 'weather', '--dir', 'empty')).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(join(folder, 'empty/src/plugin.ts'))).toBe(true)
})

test('a name that npm would refuse is refused', async () => {
  const refused = await junctor('plugin', 'new', '../Weather')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('expected a name as npm allows it')
  expect(readdirSync(folder)).toEqual([])
})
