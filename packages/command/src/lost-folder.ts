import { exitCodes } from './exit-codes.ts'

/**
 * Whether the folder that the process is in was removed. Then it tells the user, because nearly every command needs the
 * folder, and so do the programs that it would start.
 *
 * @param name of the command
 */
export function isFolderLost(process: Pick<NodeJS.Process, 'cwd' | 'exitCode' | 'stderr'>, name: string): boolean {
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
