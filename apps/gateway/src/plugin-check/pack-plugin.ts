import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isJsonObject, type JsonObject, memberOf } from '@junctor/jsonrpc'
import { printable } from '@junctor/primitives'
import type { CheckProblem } from './check-line.ts'

/** How long packing may take, in milliseconds: it runs the scripts of the package. */
const packMs = 120_000

/** A packed package, installed into a folder. */
export type PackedPlugin =
  | {
      readonly kind: 'packed'
      /** Of the package. */
      readonly name: string
      /** The package.json in it. */
      readonly manifest: JsonObject
      /** The paths of its files, with slashes. */
      readonly files: readonly string[]
      /** Packages that it depends on, and that are not installed beside its source. */
      readonly missing: readonly string[]
    }
  | { readonly kind: 'failed'; readonly problem: CheckProblem }
  /** A program is missing. */
  | { readonly kind: 'impossible'; readonly program: string }

/**
 * Packs a package as its publisher would, with its scripts, and installs the result into `node_modules` of another
 * folder. Of the packages there it can only import those that it declares.
 *
 * @param folder of the package, absolute
 * @param target an empty folder
 */
export async function packPlugin(folder: string, target: string): Promise<PackedPlugin> {
  // npm knows neither `workspace:` nor the `exports` of publishConfig.
  const packer = isOfPnpm(folder) ? 'pnpm' : 'npm'
  const packed = await run(packer, ['pack', '--pack-destination', target], folder)
  if (packed.kind !== 'ran') return packed
  const tarball = readdirSync(target).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) return unusable(`${packer} pack has made no file`, `Run it: ${packer} pack`)
  const unpacked = await run('tar', ['-xzf', tarball, '--strip-components', '1', '-C', 'unpacked'], target, 'unpacked')
  if (unpacked.kind !== 'ran') return unpacked
  return install(folder, target)
}

async function install(folder: string, target: string): Promise<PackedPlugin> {
  const unpacked = join(target, 'unpacked')
  const manifest: unknown = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  const name = memberOf(manifest, 'name')
  if (!isJsonObject(manifest) || typeof name !== 'string') {
    return unusable('a package.json without a name', 'Name the package as its plugin is named.')
  }
  const modules = join(target, 'node_modules')
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(unpacked.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted()
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  renameSync(unpacked, join(modules, name))
  const wanted = Object.keys({ ...objectOf(manifest['dependencies']), ...objectOf(manifest['peerDependencies']) })
  const missing = wanted.filter((dependency) => !link(dependency, folder, modules) && !isOptional(manifest, dependency))
  return { kind: 'packed', name, manifest, files, missing }
}

/** Makes an installed dependency visible to the packed form. False: it is not installed. */
function link(name: string, folder: string, modules: string): boolean {
  const found = ancestors(folder)
    .map((above) => join(above, 'node_modules', name))
    .find((path) => existsSync(path))
  if (found === undefined) return false
  const to = join(modules, name)
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(realpathSync(found), to, 'junction')
  return true
}

function isOptional({ peerDependenciesMeta }: JsonObject, name: string): boolean {
  return objectOf(objectOf(peerDependenciesMeta)[name])['optional'] === true
}

function ancestors(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}

function isOfPnpm(folder: string): boolean {
  return ancestors(folder).some((above) => existsSync(join(above, 'pnpm-lock.yaml')))
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function unusable(problem: string, next: string): PackedPlugin {
  return { kind: 'failed', problem: { problem, next } }
}

async function run(
  program: string,
  words: readonly string[],
  cwd: string,
  folder?: string,
): Promise<{ readonly kind: 'ran' } | Exclude<PackedPlugin, { kind: 'packed' }>> {
  if (folder !== undefined) mkdirSync(join(cwd, folder))
  return new Promise((resolve) => {
    // npm and pnpm are scripts of the shell on Windows.
    const shell = process.platform === 'win32' && program !== 'tar'
    // The scripts of the package run with this Node, whatever is first on the PATH.
    const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
    execFile(program, words, { cwd, env, timeout: packMs, maxBuffer: 2 ** 26, shell }, (error, _stdout, stderr) => {
      if (error === null) resolve({ kind: 'ran' })
      else if (error.code === 'ENOENT') resolve({ kind: 'impossible', program })
      else {
        const lines = stderr.split('\n').filter((line) => /\berror\b|\bnot found$/i.test(line))
        const detail = printable((lines[0] ?? stderr.trim() ?? error.message).slice(0, 300))
        const command = `${program} ${words[0] ?? ''}`
        const next = detail.endsWith('not found') ? `Install what it needs: ${program} install` : `Run it: ${command}`
        resolve({ kind: 'failed', problem: { problem: `${command} fails: ${detail}`, next } })
      }
    })
  })
}
