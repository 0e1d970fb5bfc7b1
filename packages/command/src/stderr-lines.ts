/** Where lines for people and log collectors go. */
export interface LineOutput {
  write(text: string): void
}

/** What a reader of standard error may leave unread before lines are dropped, in bytes. */
const mostUnread = 1024 * 1024

/**
 * Standard error. Nobody may be there to read it, so what piles up is bounded: further lines are dropped, and how many
 * is told when there is room again. A reader that is gone is no fault.
 */
export function createStderrLines(stream: NodeJS.WriteStream): LineOutput {
  let dropped = 0
  stream.on('error', () => {})
  return {
    write(text) {
      if (stream.writableLength > mostUnread) {
        dropped += 1
        return
      }
      if (dropped > 0)
        stream.write(`${JSON.stringify({ level: 'warn', message: 'log lines were dropped', dropped })}\n`)
      dropped = 0
      stream.write(text)
    },
  }
}
