import { execFile } from 'node:child_process'
import { hash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const sample = fileURLToPath(new URL('../../../plugins/wasm/sample', import.meta.url))
const built = fileURLToPath(new URL('../../../node_modules/.cache/junctor-wasm', import.meta.url))
const options = ['-O', '--runtime', 'stub', '--use', 'abort=']

/**
 * Builds the sample of the plugin for WebAssembly with the compiler of AssemblyScript, which takes two seconds: once for
 * each state of its source. Returns the path of the module.
 */
export async function buildWasmSample(): Promise<string> {
  const manifest = createRequire(join(sample, 'tools.ts')).resolve('assemblyscript/package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  const sources = readdirSync(sample)
    .toSorted()
    .map((name) => readFileSync(join(sample, name), 'utf8'))
  const path = join(built, `${hash('sha256', JSON.stringify([version, options, sources]))}.wasm`)
  if (existsSync(path)) return path
  mkdirSync(built, { recursive: true })
  // Under a name of its own until it is whole: several tests may build it at the same time.
  const unfinished = join(built, `${randomUUID()}.wasm`)
  const compiler = join(dirname(manifest), 'bin/asc.js')
  await promisify(execFile)(process.execPath, [compiler, 'tools.ts', '-o', unfinished, ...options], { cwd: sample })
  renameSync(unfinished, path)
  return path
}
