import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { commands } from '../src/commands/commands.ts'
import { exitCodes } from '@junctor/command/exit'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const launcher = fileURLToPath(new URL('../../../bin/junctor', import.meta.url))

/** Runs the launcher of a clone, from another folder. */
function run(...words: readonly string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(launcher, words, { cwd: '/', encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

/** Code that prints the URL of every module that a process loads, on standard error. */
const printModules = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) })`

function loadedModules(words: readonly string[]): readonly string[] {
  const hook = `data:text/javascript,${encodeURIComponent(printModules)}`
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  return spawnSync(process.execPath, ['--import', hook, main, ...words], { encoding: 'utf8' }).stderr.split('\n')
}

describe('help', () => {
  test('of the program has every command, examples and exit codes', () => {
    const { code, stdout, stderr } = run('--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect(stdout).toContain('\nExamples:\n')
    for (const exitCode of Object.values(exitCodes)) expect(stdout).toMatch(new RegExp(`^  ${exitCode}  \\S`, 'm'))
    expect(run('help').stdout).toBe(stdout)
  })

  test.each(Object.keys(commands))('of %s has examples and exit codes', (name) => {
    const { code, stdout, stderr } = run(name, '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: junctor ${name} `))
    expect(stdout).toMatch(/\nExamples:\n {2}\S/)
    expect(stdout).toMatch(/\nExit codes:\n {2}0 {2}\S/)
    expect(stdout).toMatch(/\n {2}2 {2}the command line cannot be used/)
    expect(stdout).not.toContain('(default: [])')
  })

  test.each([[['--help']], ...Object.keys(commands).map((name) => [[name, '--help']])])(
    '%j loads nothing that only an action uses',
    (words) => {
      const modules = loadedModules(words)
      expect(modules).toContainEqual(expect.stringMatching(/\/commander\//))
      const heavy = /\/(?:zod|pino|fastify|packages\/(?:config|node|telemetry)\/src\/index|plugins\/[\w-]+\/src)\b/
      expect(modules.filter((module) => heavy.test(module))).toEqual([])
    },
  )

  test('of one command is also "help" and its name', () => {
    expect(run('help', 'events').stdout).toBe(run('events', '--help').stdout)
  })
})

test('--version is that of the package', () => {
  expect(run('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test.each([
  [['evnts'], '(Did you mean events?)'],
  [['chek', '--json'], '(Did you mean check?)'],
  [['status', '--jsn'], '(Did you mean --json?)'],
  [['call'], "missing required argument 'tool'"],
])('%j is refused with a suggestion', (words, message) => {
  const { code, stdout, stderr } = run(...words)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})
