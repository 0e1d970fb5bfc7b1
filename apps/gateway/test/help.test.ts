import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { commands } from '../src/commands/commands.ts'
import { exitCodes } from '@junctor/command/exit'

// Each test is a process or more, and a start takes seconds on a busy machine. The help of each command, and the words that
// are refused, are in `src/program.test.ts`.
vi.setConfig({ testTimeout: 60_000 })

const launcher = fileURLToPath(new URL('../../../bin/junctor', import.meta.url))

/** Runs the launcher of a clone, from another folder. */
function run(...words: readonly string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(launcher, words, { cwd: '/', encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

const program = new URL('../src/program.ts', import.meta.url)

/** Code that shows the help of the program and of each command, and prints the URL of every module that is loaded for it. */
const printModules = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) })
const { runProgram } = await import(${JSON.stringify(program)})
for (const words of ${JSON.stringify([['--help'], ...Object.keys(commands).map((name) => [name, '--help'])])})
  await runProgram(words, process)`

describe('help', () => {
  test('of the program has every command, examples and exit codes', () => {
    const { code, stdout, stderr } = run('--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect(stdout).toContain('\nExamples:\n')
    for (const exitCode of Object.values(exitCodes)) expect(stdout).toMatch(new RegExp(`^  ${exitCode}  \\S`, 'm'))
  })

  test('loads nothing that only an action uses', () => {
    const words = ['--input-type=module', '--eval', printModules]
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    for (const name of Object.keys(commands)) expect(stdout).toContain(`Usage: junctor ${name} `)
    const modules = stderr.split('\n')
    expect(modules).toContainEqual(expect.stringMatching(/\/commander\//))
    const heavy = /\/(?:zod|pino|fastify|packages\/(?:config|node|telemetry)\/src\/index|plugins\/[\w-]+\/src)\b/
    expect(modules.filter((module) => heavy.test(module))).toEqual([])
  })
})

test('--version is that of the package', () => {
  expect(run('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test('words that cannot be used are refused', () => {
  const { code, stdout, stderr } = run('evnts')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('(Did you mean events?)')
})
