import type { Failure } from '@junctor/command'
import { type ExitCode, exitCodes } from '@junctor/command/exit'
import { createTextReport } from './text-report.ts'
import { showsColors } from './shows-colors.ts'

/** Ends a command with what went wrong and what to do, on standard error. Default: the code of a failure while it ran. */
export function failCommand(
  process: Pick<NodeJS.Process, 'stderr' | 'exitCode'>,
  failure: Failure,
  code: ExitCode = exitCodes.failed,
): undefined {
  const { stderr } = process
  createTextReport(stderr, showsColors(stderr)).failed(failure)
  process.exitCode = code
}
