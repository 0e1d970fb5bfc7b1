/** An output of lines for people and log collectors. */
export interface LineOutput {
  /** Writes `text` as it is. */
  write(text: string): void
}

/** How much a reader of standard error may leave unread before lines are dropped, in bytes. */
const mostUnread = 1024 * 1024

/**
 * Writes to standard error. It may have no reader, so the buffer is bounded: further lines are dropped, and their
 * number is written when there is room again. A reader that is gone causes no error.
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
