import { printable, printableLines } from '@junctor/primitives'
import { createInterface, type Interface } from 'node:readline/promises'

/** Asks the user at a terminal. */
export interface Questions {
  /** The trimmed answer, or the default for an empty one. `undefined`: the input has ended, by Ctrl-C or Ctrl-D. */
  ask(question: string, otherwise?: string): Promise<string | undefined>
  /** Prints a line between questions. */
  say(line: string): void
  close(): void
}

/**
 * Asks on standard error, because standard output is for results. Does not touch the terminal before the first
 * question.
 *
 * @param interrupted called on Ctrl-C at a question, where it is a key and not a signal
 */
export function createQuestions(
  { stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
  interrupted: () => void = () => {},
): Questions {
  const over = new AbortController()
  let lines: Interface | undefined
  const open = (): Interface => {
    const opened = createInterface({ input: stdin, output: stderr })
    opened.once('close', () => over.abort())
    opened.once('SIGINT', () => {
      interrupted()
      opened.close()
    })
    return opened
  }
  return {
    async ask(question, otherwise = '') {
      if (over.signal.aborted) return undefined
      lines ??= open()
      const hint = otherwise === '' ? '' : ` [${otherwise}]`
      try {
        return (
          (await lines.question(`${printableLines(question)}${printable(hint)} `, { signal: over.signal })).trim() ||
          otherwise
        )
      } catch {
        return undefined
      }
    },
    say: (line) => void stderr.write(`${printableLines(line)}\n`),
    close() {
      over.abort()
      lines?.close()
    },
  }
}
