import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { junctorProgram } from '@junctor/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startJunctor } from './junctor-process.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const shells = ['bash', 'zsh', 'fish'] as const
const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0

let folder: string
let scripts: Readonly<Record<string, string>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-completion-'))
  mkdirSync(join(folder, 'a folder'))
  writeFileSync(join(folder, 'a file.yaml'), '')
  writeFileSync(join(folder, 'other.yaml'), '')
  const runs = shells.map(async (shell) => {
    const junctor = startJunctor(['completion', shell])
    return [shell, (await junctor.ended()) === 0 ? junctor.stdout() : junctor.stderr()] as const
  })
  scripts = Object.fromEntries(await Promise.all(runs))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The completions that bash offers for the last of these words, split as bash splits them. */
function offered(words: readonly string[]): readonly string[] {
  const program = `eval "$SCRIPT"
read -r _ _ function _ <<< "$(complete -p junctor)"
COMP_WORDS=(junctor "$@") COMP_CWORD=$#
$function junctor "\${!#}" "\${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-u', '-c', program, 'bash', ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], SCRIPT: scripts['bash'] },
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

const isBoth = (files: readonly string[]): boolean => files.toSorted().join() === 'a file.yaml,a folder'

describe('bash offers', () => {
  test.each([
    ['commands', ['se'], ['serve']],
    ['all commands', [''], expect.arrayContaining(['serve', 'check', 'hash-key', 'completion', 'help'])],
    ['options of the program', ['--v'], ['--version']],
    ['options of a command', ['serve', '--log'], ['--log-level']],
    ['options after values', ['serve', '--port', '0', '--st'], ['--stdio']],
    ['options before anything is typed', ['status', ''], expect.arrayContaining(['--admin', '--token'])],
    ['choices of an option', ['serve', '--log-level', ''], ['debug', 'info', 'warn', 'error', 'silent']],
    ['choices after an equals sign', ['serve', '--log-level', '=', 'de'], ['debug']],
    ['choices right after an equals sign', ['events', '--status', '='], ['success', 'failure', 'pending']],
    ['choices of an argument', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['commands to be helped with', ['help', 'eve'], ['events']],
    ['commands below a command', ['plugin', ''], expect.arrayContaining(['new', 'dev', 'check', 'serve'])],
    ['the beginning of one', ['backend', 'ch'], ['change']],
    ['options of a command below', ['plugin', 'check', '--ca'], ['--call']],
    ['files for an option of a command below', ['backend', 'add', 'x', '--from', 'o'], ['other.yaml']],
    ['no command below a command as its argument', ['add', 'plugin', '--vers'], ['--version']],
    ['files', ['serve', '--config', 'a'], expect.toSatisfy(isBoth)],
    ['files for the short name', ['check', '-c', 'o'], ['other.yaml']],
    ['nothing for a value that it cannot know', ['serve', '--port', ''], []],
    ['nothing for an unknown option', ['serve', '--bogus'], []],
  ])('%s', (_name, words, expected) => {
    expect(offered(words)).toEqual(expected)
  })

  test('does not offer hidden options', () => {
    expect(offered(['serve', '--'])).not.toContain('--quiet')
  })
})

test.each(shells)('the script for %s names every command', (shell) => {
  const commands = ['serve', 'check', 'tools', 'call', 'status', 'events', 'init', 'add', 'hash-key', 'completion']
  for (const command of commands) expect(scripts[shell]).toContain(command)
})

/** Shells that not every machine has. The content of their scripts is tested above on all machines. */
const others = [
  {
    shell: 'zsh',
    words: ['-f', '-c', 'autoload -Uz compinit && compinit -D -u; eval "$SCRIPT"; print -r -- "$_comps[junctor]"'],
    prints: /^_junctor\n$/,
  },
  {
    shell: 'fish',
    words: ['--no-config', '-c', 'echo $SCRIPT | source; complete -C "junctor serve --log-level d"'],
    prints: /^debug\b/,
  },
  {
    shell: 'fish',
    words: [
      '--no-config',
      '-c',
      'echo $SCRIPT | source; complete -C "junctor plugin ch"; complete -C "junctor plugin check --ca"',
    ],
    prints: /^check\b[^\n]*\n--call\b[^\n]*\n$/,
  },
  {
    shell: 'fish',
    words: ['--no-config', '-c', 'echo $SCRIPT | source; complete -C "junctor check --st"; complete -C "junctor plu"'],
    prints: /^plugin\b[^\n]*\n$/,
  },
]

test.each(others.filter(({ shell }) => isThere(shell)))(
  '$shell completes by its script',
  ({ shell, words, prints }) => {
    const env = { HOME: folder, PATH: process.env['PATH'], SCRIPT: scripts[shell] }
    const run = spawnSync(shell, words, { env, encoding: 'utf8' })
    expect(run.stdout).toMatch(prints)
  },
)

test('an unknown shell is refused with the list of known shells', async () => {
  const junctor = startJunctor(['completion', 'tcsh'])
  expect(await junctor.ended()).toBe(2)
  expect(junctor.stderr()).toContain('Allowed choices are bash, zsh, fish.')
})

test('a reader of the output that wants no more is no failure', async () => {
  const junctor = startJunctor(['completion', 'bash'])
  junctor.child.stdout.destroy()
  expect(await junctor.ended()).toBe(0)
  expect(junctor.stderr()).toBe('')
})

test.runIf(existsSync('/dev/full'))('output that a full disk does not take is a failure', () => {
  const line = '"$1" "$2" completion bash >/dev/full'
  const { status, stderr } = spawnSync('sh', ['-c', line, 'sh', process.execPath, junctorProgram], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('The output cannot be written: ENOSPC')])
})
