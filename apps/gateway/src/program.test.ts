import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes } from '@junctor/command/exit'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { commands } from './commands/commands.ts'
import { runProgram } from './program.ts'

// The first use of a command loads all of its modules, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-words-'))
  mkdirSync(join(folder, 'folder'))
  writeFileSync(join(folder, 'empty.yaml'), 'backends: {}\n')
  writeFileSync(join(folder, 'bad.json'), '{')
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
})
afterEach(() => {
  process.exitCode = undefined
})
afterAll(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

/** Runs the command line in this process. */
async function run(words: readonly string[]): Promise<{ readonly code: unknown; readonly stderr: string }> {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await runProgram(words, process)
    return { code: process.exitCode, stderr: write.mock.calls.map(([text]) => String(text)).join('') }
  } finally {
    write.mockRestore()
  }
}

const url = 'http://127.0.0.1:9/mcp'

test.each<readonly [readonly string[], string]>([
  [['serve', '--stdio', '--port', '1'], "'--stdio' cannot be used with option '--port <number>'"],
  [['serve', '--stdio', '--host', 'localhost'], "'--stdio' cannot be used with option '--host <address>'"],
  [['plugin', 'serve', '--stdio', '--port', '1'], "'--stdio' cannot be used with option '--port <number>'"],
  [['add', './folder', '--yes'], 'expected a program or a server.json, got the folder ./folder'],
  [
    ['add', 'ftp://a.example/x', '--yes'],
    'expected a URL such as https://mcp.example.com/mcp, got "ftp://a.example/x"',
  ],
  [['add', './bad.json', '--yes'], "bad.json: Expected property name or '}'"],
  [['add', url, '--yes', '--config', 'folder'], 'expected a file, got the folder '],
  [['add', url, '--yes', '--config', 'none/junctor.yaml'], 'there is no folder '],
  [['add', 'no-such-program', '--flag'], 'no-such-program, got "--flag". There is no such program here'],
  [
    ['pins', 'approve', 'more', '--config', '{folder}/empty.yaml'],
    '\n  It has no backends: add one with junctor add.\n',
  ],
  [['plugin', 'new', 'weather', '--dir', 'bad.json'], 'expected a folder, got the file '],
  [['plugin', 'check', '--call', ''], 'got ""'],
  [['call', 'a', '--url', url, '--save', ''], 'expected the name of a file, got ""'],
  [['serve', 'gateway.yaml'], '\nTo name the configuration: --config gateway.yaml\n'],
  [['backend', 'change', 'a'], 'Write: junctor backend change NAME https://'],
])('the words %j cannot be used', async (words, message) => {
  const { code, stderr } = await run(words.map((word) => word.replace('{folder}', folder)))
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('\\n')
  expect(code).toBe(exitCodes.usage)
})

test.each<readonly [string, string, string | undefined]>([
  ['help chek', "unknown command 'chek'", 'Did you mean check?'],
  ['chek --help', "unknown command 'chek'", 'Did you mean check?'],
  ['help plugin chek', "unknown command 'chek'", 'Did you mean check?'],
  ['plugin help chek', "unknown command 'chek'", 'Did you mean check?'],
  ['plugin chek -h', "unknown command 'chek'", 'Did you mean check?'],
  ['help nope', "unknown command 'nope'", undefined],
  ['evnts', "unknown command 'evnts'", '(Did you mean events?)'],
  ['chek --json', "unknown command 'chek'", '(Did you mean check?)'],
  ['status --jsn', "unknown option '--jsn'", '(Did you mean --json?)'],
  ['call', "missing required argument 'tool'", undefined],
])('junctor %s is refused, with a suggestion where there is one', async (words, message, suggestion = message) => {
  const { code, stderr } = await run(words.split(' '))
  expect(stderr).toContain(message)
  expect(stderr).toContain(suggestion)
  expect(code).toBe(exitCodes.usage)
})

/** Runs the command line in this process. Returns what it prints, too. */
async function show(words: readonly string[]): Promise<Awaited<ReturnType<typeof run>> & { readonly stdout: string }> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const ended = await run(words)
    return { ...ended, stdout: write.mock.calls.map(([text]) => String(text)).join('') }
  } finally {
    write.mockRestore()
  }
}

test.each(['help', 'help check', 'help plugin', 'help plugin check', 'plugin help check', 'add --help'])(
  'junctor %s shows help',
  async (words) => {
    const { code, stdout, stderr } = await show(words.split(' '))
    const path = words.split(' ').filter((word) => word !== 'help' && word !== '--help')
    expect(stdout).toMatch(new RegExp(`^Usage: ${['junctor', ...path].join(' ')} `))
    expect({ code, stderr }).toEqual({ code: exitCodes.done, stderr: '' })
  },
)

test.each(Object.keys(commands))('the help of %s has examples and exit codes, also behind "help"', async (name) => {
  const { code, stdout, stderr } = await show([name, '--help'])
  expect({ code, stderr }).toEqual({ code: exitCodes.done, stderr: '' })
  expect(stdout).toMatch(new RegExp(`^Usage: junctor ${name} `))
  expect(stdout).toMatch(/\nExamples:\n {2}\S/)
  expect(stdout).toMatch(/\nExit codes:\n {2}0 {2}\S/)
  expect(stdout).toMatch(/\n {2}2 {2}the command line cannot be used/)
  expect(stdout).not.toContain('(default: [])')
  expect((await show(['help', name])).stdout).toBe(stdout)
})
