import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { printable } from '@junctor/primitives'
import { type CheckLine, failed, passed, skipped } from './check-line.ts'

/** How long the compiler may take, in milliseconds. */
const compileMs = 120_000

/** The most errors that are shown. */
const mostErrors = 10

/** How a file is compiled that has no tsconfig.json: as Node reads TypeScript. */
const usualOptions = ['--module', 'nodenext', '--target', 'es2024', '--strict', '--skipLibCheck']
const nodeOptions = ['--allowImportingTsExtensions', '--erasableSyntaxOnly']

/**
 * Runs the TypeScript compiler that is installed beside a plugin.
 *
 * @param folder the folder of the package, or of the file
 * @param file the module of the plugin
 */
export async function checkTypes(folder: string, file: string): Promise<CheckLine> {
  const project = join(folder, 'tsconfig.json')
  const hasProject = existsSync(project)
  if (!hasProject && !/\.m?ts$/.test(file)) return passed('types', 'JavaScript, which has none')
  const compiler = compilerOf(folder)
  if (compiler === undefined) {
    return skipped('types', 'there is no TypeScript here', `Install it: npm install --save-dev typescript`)
  }
  const words = hasProject ? ['--project', project] : [...usualOptions, ...nodeOptions, file]
  const { code, output } = await run([compiler, '--noEmit', '--pretty', 'false', ...words], folder)
  if (code === 0) return passed('types', hasProject ? 'tsconfig.json' : relative(folder, file))
  const errors = ownFirst(output.split('\n').filter((line) => /error TS\d+/.test(line)))
  const shown = errors.slice(0, mostErrors).map((line) => ({ problem: printable(line), next: nextStep(line) }))
  const problems =
    shown.length > 0
      ? shown
      : [{ problem: `the compiler has failed: ${output.trim().slice(0, 400)}`, next: 'Run it: npx tsc --noEmit' }]
  return failed('types', `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}`, ...problems)
}

/** Those in the plugin's own files before those in what it imports: only some are shown, and the author can mend these. */
function ownFirst(errors: readonly string[]): readonly string[] {
  return errors.toSorted((one, other) => Number(isElsewhere(one)) - Number(isElsewhere(other)))
}

/** The compiler names files relative to the folder of the plugin. */
function isElsewhere(error: string): boolean {
  return error.startsWith('..')
}

function nextStep(error: string): string {
  const missing = /TS(?:2307|7016).*'([^'.][^']*)'/.exec(error)?.[1]
  if (missing === undefined) return 'Mend it there; npx tsc --noEmit shows all errors.'
  const [scope = '', name] = missing.split('/')
  const wanted = missing.startsWith('node:')
    ? '--save-dev @types/node'
    : scope.startsWith('@')
      ? `${scope}/${name}`
      : scope
  return `Install it: npm install ${wanted}`
}

function compilerOf(folder: string): string | undefined {
  try {
    const manifest = createRequire(join(folder, 'package.json')).resolve('typescript/package.json')
    return join(dirname(manifest), 'bin/tsc')
  } catch {
    return undefined
  }
}

function run(words: readonly string[], cwd: string): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd, timeout: compileMs, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr })
    })
  })
}
