/** Text in, lines out: for output that is meant for people, where nothing can be malformed. */
export interface TextLines {
  push(chunk: Uint8Array): void
  end(): void
}

/**
 * Splits a stream of bytes at its newlines. What is not UTF-8 is replaced, what is longer than `maxLength` characters is
 * cut, empty lines are skipped.
 */
export function createTextLines(maxLength: number, onLine: (line: string) => void): TextLines {
  const decoder = new TextDecoder()
  let rest = ''

  const emit = (line: string): void => {
    const text = line.slice(0, maxLength).trimEnd()
    if (text !== '') onLine(text)
  }

  const take = (text: string): void => {
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    const [first, ...others] = lines
    if (first === undefined) {
      rest = (rest + last).slice(0, maxLength)
      return
    }
    emit(rest + first)
    for (const line of others) emit(line)
    rest = last.slice(0, maxLength)
  }

  return {
    push(chunk) {
      take(decoder.decode(chunk, { stream: true }))
    },
    end() {
      take(`${decoder.decode()}\n`)
    },
  }
}
