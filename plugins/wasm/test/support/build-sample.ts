import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const plugin = join(import.meta.dirname, '../..')

/** The sample, built from its source with the compiler of AssemblyScript. */
export interface BuiltSample {
  /** The path of the module. */
  readonly path: string
  remove(): void
}

/** Builds the sample. */
export async function buildSample(): Promise<BuiltSample> {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-wasm-'))
  const path = join(folder, 'tools.wasm')
  const compiler = join(plugin, 'node_modules/assemblyscript/bin/asc.js')
  const options = ['sample/tools.ts', '-o', path, '-O', '--runtime', 'stub', '--use', 'abort=']
  await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: plugin })
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
