import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { processTimeout, type StartOptions } from './junctor-process.ts'
import { eventually, junctorProgram } from '@junctor/testkit'

/** The command on a terminal, which `script` provides. */
export interface TerminalProcess {
  /** Everything that was on the screen so far, without control characters and carriage returns. */
  screen(): string
  /** The same with control characters. */
  raw(): string
  /** Waits until the screen ends like this, and types a line. */
  typed(pattern: RegExp, line: string): Promise<void>
  /** The same with keys that are not followed by Enter. */
  pressed(pattern: RegExp, keys: string): Promise<void>
  /** Waits for the end. Returns the exit code. */
  ended(): Promise<number | null>
}

/** Runs the command on its own terminal. */
export function startOnTerminal(words: readonly string[], { folder, env = {} }: StartOptions = {}): TerminalProcess {
  const line = [process.execPath, junctorProgram, ...words]
    .map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
    .join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
  })
  // A test that fails before the command ends must not disturb those after it.
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close') as Promise<[number | null]>
  let raw = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (raw += text))
  child.stdin.on('error', () => {})
  let seen = 0
  const screen = (): string => stripVTControlCharacters(raw).replaceAll('\r', '')
  const pressed = async (pattern: RegExp, keys: string): Promise<void> => {
    await eventually(() => expect(screen().slice(seen)).toMatch(pattern), processTimeout.timeout)
    seen = screen().length
    child.stdin.write(keys)
  }
  return {
    screen,
    raw: () => raw,
    pressed,
    typed: (pattern, text) => pressed(pattern, `${text}\r`),
    ended: async () => (await closed)[0],
  }
}
