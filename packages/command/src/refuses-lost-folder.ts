import { exitCodes } from './exit-codes.ts'

/**
 * Refuses to run in a folder that was removed, because nearly every command needs its folder, and so do the programs that
 * it would start. Returns whether it has refused: then the user has the message, and the process its exit code.
 *
 * @param name of the command
 */
export function refusesLostFolder(process: Pick<NodeJS.Process, 'cwd' | 'exitCode' | 'stderr'>, name: string): boolean {
  try {
    process.cwd()
    return false
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
    process.stderr.write(
      `${name}: The folder that this command runs in does not exist any more (${reason}).\n  Change to another folder, and run it again.\n`,
    )
    process.exitCode = exitCodes.failed
    return true
  }
}
