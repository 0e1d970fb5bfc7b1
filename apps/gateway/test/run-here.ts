import { EventEmitter } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { compiledOnce, junctorProgram } from '@junctor/testkit'
import { runProgram } from '../src/program.ts'
import type { JunctorProcess, StartOptions } from './junctor-process.ts'

/** A command in the process of the test. Nothing of its output is lost. */
export type CommandHere = Pick<JunctorProcess, 'ended' | 'stdout' | 'stderr'>

/**
 * Runs the command in the process of the test, and in its folder, which takes a tenth of the processor's time of a process of
 * its own. It has no terminal, no input and no signals, and options have the variables of the process (`JUNCTOR_KEY`).
 */
export function runHere(words: readonly string[], { env = {} }: Pick<StartOptions, 'env'> = {}): CommandHere {
  const printed = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof printed): Writable =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        printed[name] += text
        done()
      },
    })
  const { execPath, platform, versions } = process
  const around = Object.assign(new EventEmitter(), {
    execPath,
    platform,
    versions,
    argv: [execPath, junctorProgram, ...words],
    env: { PATH: process.env['PATH'] ?? '', ...compiledOnce, ...env },
    cwd: () => process.cwd(),
    stdin: Readable.from([]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    exitCode: undefined as number | undefined,
  })
  const done = runProgram(words, around as unknown as NodeJS.Process)
  return {
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    ended: () => done.then(() => around.exitCode ?? 0),
  }
}
