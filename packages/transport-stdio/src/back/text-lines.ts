/** Splits bytes into lines of text, for output to people, where no input is malformed. */
export interface TextLines {
  push(chunk: Uint8Array): void
  end(): void
}

/**
 * Splits a stream of bytes at its newlines. Bytes that are not UTF-8 are replaced, lines longer than `maxLength`
 * characters are cut, empty lines are skipped.
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
