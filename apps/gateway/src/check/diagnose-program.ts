import { JunctorError } from '@junctor/protocol'
import type { Diagnosis } from './diagnosis.ts'
import type { FailedAttempt } from './failed-attempt.ts'
import { plainMessage } from './plain-message.ts'
import { waitedSeconds } from './waited-seconds.ts'

const startable = 'a program that can be started'

/** Finds out why a program does not work as a backend. `undefined`: nothing is known beyond its error. */
export function diagnoseProgram(attempt: FailedAttempt): Diagnosis | undefined {
  const { error } = attempt
  if (error === undefined) return diagnoseSilence(attempt)
  const cause = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException).code : undefined
  if (cause === 'ENOENT') return diagnoseAbsence(attempt)
  if (cause === 'EACCES') {
    const got = `a file that may not be run: ${text(attempt.options['command'])}`
    const next = 'Make it executable, or write the program that runs it as "command" and the file under "args".'
    return { kind: 'not_executable', got, expected: startable, next }
  }
  return error instanceof JunctorError && error.code === 'BACKEND_EXITED' ? diagnoseExit(attempt, error) : undefined
}

function diagnoseAbsence({ options: { command, cwd }, program }: FailedAttempt): Diagnosis {
  const written = text(command)
  if (!program.folder) {
    const next = 'Correct "cwd", which starts at the folder of the configuration, or make the folder.'
    return { kind: 'no_folder', got: `no folder ${text(cwd)}`, expected: 'the folder that "cwd" names', next }
  }
  if (program.file) {
    const got = `${written}, whose first line names an interpreter that is not there`
    const next = 'Install the interpreter, or write it as "command" and the file under "args".'
    return { kind: 'no_program', got, expected: startable, next }
  }
  const isPath = /[\\/]/.test(written)
  const got = isPath ? `no file ${written}` : `no program ${written} on the PATH`
  return { kind: 'no_program', got, expected: startable, next: nextForAbsence(written, isPath) }
}

function nextForAbsence(command: string, isPath: boolean): string {
  if (/\s/.test(command)) return 'Write only its first word as "command", and the others under "args".'
  if (isPath) return 'Correct "command", which starts at the folder of the configuration.'
  return 'Correct "command", install it, or write its whole path.'
}

function diagnoseExit({ lastWords, noise }: FailedAttempt, error: Error): Diagnosis {
  const how = plainMessage(error).replace(/^Backend "[^"]*" /, '')
  const output = lastWords ?? noise
  const got = `a program that ${how}${output === undefined ? '' : `, and said: ${output}`}`
  const next = how.endsWith('code 0')
    ? 'Check "command" and "args": this program does its work and ends, and a server waits for messages.'
    : 'Run its command by itself to see why it ends; check "args" and "env".'
  return { kind: 'exited', got, expected: 'a program that goes on running', next }
}

function diagnoseSilence(attempt: FailedAttempt): Diagnosis {
  const { lastWords, noise } = attempt
  const time = waitedSeconds(attempt)
  if (noise !== undefined) {
    return {
      kind: 'not_mcp',
      got: `${JSON.stringify(noise)} on its standard output, and no answer in ${time}`,
      expected: 'messages of MCP there, and nothing else',
      next: 'Check "args": it may not be an MCP server, or may be set to HTTP; its log belongs on standard error.',
    }
  }
  return {
    kind: 'silent',
    got: `no answer in ${time}${lastWords === undefined ? '' : `; its last words: ${lastWords}`}`,
    expected: 'an answer to initialize',
    next: 'Run its command by itself to see what it waits for; raise --timeout, up to 60s, if it is slow to start.',
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : 'that'
}
