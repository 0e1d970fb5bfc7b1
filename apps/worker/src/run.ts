import { endWithReader, exitWhenWritten, nameWhoExits, refusesLostFolder } from '@junctor/command/exit'
import { provideSdk } from '@junctor/node/provide-sdk'
import { runProgram } from './program.ts'

/** Runs the command line of this process, and lets the process end when its output is written. */
export async function run(process: NodeJS.Process): Promise<void> {
  provideSdk(import.meta.url)
  endWithReader(process, 'junctor-worker')
  nameWhoExits(process, 'junctor-worker')
  if (!refusesLostFolder(process, 'junctor-worker')) await runProgram(process.argv.slice(2), process)
  exitWhenWritten(process)
}
