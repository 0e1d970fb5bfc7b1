import { printable } from '@junctor/primitives'

/** One line on a terminal that is overwritten. Without a terminal, prints nothing. */
export interface TerminalLine {
  show(text: string): void
  clear(): void
}

/** The columns of a terminal that does not report its width. */
const usualColumns = 80

/** Creates an empty line. On an output that is no terminal it is never shown. */
export function createTerminalLine(stream: NodeJS.WriteStream): TerminalLine {
  let shown = false
  return {
    show(text) {
      if (!stream.isTTY) return
      shown = true
      stream.write(`\r\u001b[K${printable(text).slice(0, (stream.columns || usualColumns) - 1)}`)
    },
    clear() {
      if (shown) stream.write('\r\u001b[K')
      shown = false
    },
  }
}
