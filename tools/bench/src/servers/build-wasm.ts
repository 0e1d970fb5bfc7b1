import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Builds the sample of the plugin for WebAssembly from its source. Returns its path, as long as this process runs. */
export function buildWasmSample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const path = join(folder, 'tools.wasm')
  const compiler = join(dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')), 'bin/asc.js')
  const sample = fileURLToPath(new URL('../../../../plugins/wasm/sample', import.meta.url))
  const options = ['tools.ts', '-o', path, '-O', '--runtime', 'stub', '--use', 'abort=']
  execFileSync(process.execPath, [compiler, ...options], { cwd: sample, stdio: 'ignore' })
  return path
}
