/** What a reader of the last lines may take for them, in milliseconds. */
const patienceMs = 500

/**
 * Ends the process with its exit code as soon as its last lines are written, or nobody takes them. Without this, a
 * plugin that left a timer behind would keep it alive for ever.
 */
export function exitWhenWritten(process: NodeJS.Process): void {
  setTimeout(() => process.exit(), patienceMs)
  process.stdout.write('', () => process.stderr.write('', () => process.exit()))
}
