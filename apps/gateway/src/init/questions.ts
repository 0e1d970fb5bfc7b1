import { createInterface } from 'node:readline/promises'

/** Somebody at a terminal. */
export interface Questions {
  /** The answer, trimmed; the default for none; `undefined` when there will be no more answers: Ctrl-C, Ctrl-D. */
  ask(question: string, otherwise?: string): Promise<string | undefined>
  close(): void
}

/** Asks on standard error: standard output is for what comes of it. */
export function createQuestions({ stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>): Questions {
  const lines = createInterface({ input: stdin, output: stderr })
  const over = new AbortController()
  lines.once('close', () => over.abort())
  return {
    async ask(question, otherwise = '') {
      if (over.signal.aborted) return undefined
      const hint = otherwise === '' ? '' : ` [${otherwise}]`
      try {
        return (await lines.question(`${question}${hint} `, { signal: over.signal })).trim() || otherwise
      } catch {
        return undefined
      }
    },
    close: () => lines.close(),
  }
}
