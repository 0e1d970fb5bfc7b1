import { JunctorError } from '@junctor/protocol'
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** The exit code of a command that has failed with this error. */
export function exitCodeOf(thrown: unknown): ExitCode {
  if (!(thrown instanceof JunctorError)) return exitCodes.failed
  if (thrown.code === 'CONFIG_INVALID') return exitCodes.config
  return thrown.code === 'LISTEN_FAILED' ? exitCodes.listen : exitCodes.failed
}
