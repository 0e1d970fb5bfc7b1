import { type ExitCode, exitCodes, signalCodes } from '@junctor/command/exit'
import type { Failure } from '@junctor/command'
import { createQuestions } from '../report/questions.ts'
import { createTextReport } from '../report/text-report.ts'
import { clientFailure } from './client-failure.ts'
import { type ClientTarget, type GatewayClient, openClient } from './open-client.ts'
import { showsColors } from '../report/shows-colors.ts'

/** What the user typed for a command that connects to a gateway as a client. */
export interface ClientOptions extends ClientTarget {
  readonly json?: true
}

/** The result of a command. */
export interface CommandResult {
  readonly code: ExitCode
  /** What to report to the user. */
  readonly failure?: Failure
  /** What the user may want to know besides. */
  readonly note?: string
}

/**
 * Opens a client, uses it and closes it. Reports failures, and sets the exit code of the process. SIGINT and SIGTERM cancel
 * the running call; the exit code is then that of the signal.
 */
export async function useClient(
  process: NodeJS.Process,
  options: ClientOptions,
  use: (gateway: GatewayClient, signal: AbortSignal) => Promise<CommandResult>,
): Promise<void> {
  const { stdin, stderr, argv, execPath, env } = process
  const report = createTextReport(stderr, showsColors(stderr))
  const stop = new AbortController()
  let stopCode: number = signalCodes.SIGINT
  // Ctrl-C at a question is a key: then there is no signal.
  const end = (signal?: NodeJS.Signals): void => {
    if (signal === 'SIGTERM') stopCode = signalCodes.SIGTERM
    stop.abort()
  }
  process.once('SIGINT', end).once('SIGTERM', end)
  const questions = stdin.isTTY && stderr.isTTY ? createQuestions(process, end) : undefined
  const around = {
    program: argv[1] ?? '',
    execPath,
    folder: process.cwd(),
    env,
    signal: stop.signal,
    note: (text: string) => report.note(text),
    ...(questions && { questions }),
  }
  let connected = false
  try {
    const opened = await openClient(options, around)
    connected = true
    if (opened.kind === 'invalid') {
      report.invalid(opened.problems)
      process.exitCode = exitCodes.config
      return
    }
    try {
      const { code, failure, note } = await use(opened.gateway, stop.signal)
      if (note !== undefined) report.note(note)
      if (failure !== undefined) report.failed(failure)
      process.exitCode = code
    } finally {
      await opened.gateway.close()
    }
  } catch (error) {
    if (stop.signal.aborted) process.exitCode = stopCode
    else {
      report.failed(clientFailure(error, options.url, connected))
      process.exitCode = exitCodes.failed
    }
  } finally {
    questions?.close()
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}
