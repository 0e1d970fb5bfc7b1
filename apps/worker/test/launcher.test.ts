import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const launcher = fileURLToPath(new URL('../../../bin/junctor-worker', import.meta.url))

/** Runs the launcher of a clone, from another folder. */
function run(...words: readonly string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(launcher, words, { cwd: '/', encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

test('--help has examples and exit codes', () => {
  const { code, stdout, stderr } = run('--help')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Usage: junctor-worker /)
  expect(stdout).toMatch(/\nExamples:\n {2}\S/)
  expect(stdout).toMatch(/\nExit codes:\n {2}0 {2}\S/)
})

test('--version is that of the package', () => {
  expect(run('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test('an unknown option is refused with a suggestion', () => {
  const { code, stdout, stderr } = run('--confg', 'junctor.yaml')
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('(Did you mean --config?)')
})
