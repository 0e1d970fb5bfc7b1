import { exitCodes } from './exit-codes.ts'

/**
 * Ends the process when its output has no reader any more, as `head` and a pager leave it: without a word and as done,
 * because nobody asked for more. Any other error of the output is shown, and fails the command. A command that serves a
 * client on its output handles this itself.
 *
 * @param name of the command
 */
export function endWithReader(process: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'exit'>, name: string): void {
  const { stdout, stderr } = process
  // Without a listener the error would end the process with a stack trace.
  stderr.on('error', () => {})
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (stdout.listenerCount('error') > 1) return
    if (code === 'EPIPE') process.exit(exitCodes.done)
    stderr.write(`${name}: The output cannot be written: ${message}\n`)
    process.exit(exitCodes.failed)
  })
}
