import { printable, printableLines } from '@junctor/primitives'
import { createInterface, type Interface } from 'node:readline/promises'

/** Somebody at a terminal. */
export interface Questions {
  /** The answer, trimmed; the default for none; `undefined` when there will be no more answers: Ctrl-C, Ctrl-D. */
  ask(question: string, otherwise?: string): Promise<string | undefined>
  /** A line in between. */
  say(line: string): void
  close(): void
}

/**
 * Asks on standard error: standard output is for what comes of it. The terminal is left alone until there is a question.
 *
 * @param interrupted is told of Ctrl-C at a question, where it is a key and no signal
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
