/** How long a reader of the last lines may take, in milliseconds. */
const timeoutMs = 500

/**
 * Ends the process with its exit code when its last lines are written, or when their reader takes too long. Without
 * this, a timer that a plugin left behind would keep the process alive forever.
 */
export function exitWhenWritten(process: NodeJS.Process): void {
  setTimeout(() => process.exit(), timeoutMs)
  // Immediately after the callbacks, a failed write is reported to those who handle it.
  process.stdout.write('', () => process.stderr.write('', () => setImmediate(() => process.exit())))
}
