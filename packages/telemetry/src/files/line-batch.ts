import type { AppendFile } from './append-file.ts'

const lineEnd = 0x0a

/** Lines that are being written to a file. A write may be partial; the next one continues where it ended. */
export class LineBatch {
  readonly #bytes: Buffer
  #written = 0
  #torn = 0

  constructor(lines: readonly string[]) {
    this.#bytes = Buffer.from(`${lines.join('\n')}\n`)
  }

  get isWritten(): boolean {
    return this.#written >= this.#bytes.length
  }

  /** The number of lines that are not completely in one file. */
  get missing(): number {
    return this.#torn + linesFrom(this.#bytes, this.#written)
  }

  /** Writes some of the remaining bytes. Rejects when nothing can be written. */
  async writeTo(file: AppendFile): Promise<void> {
    while (await file.ready()) {
      if (this.#written === 0) break
      this.#leaveTornLine()
      if (this.isWritten) return
    }
    this.#written += await file.write(this.#bytes, this.#written)
  }

  /** Skips the rest of a line that began in another file. */
  #leaveTornLine(): void {
    const next = lineStart(this.#bytes, this.#written)
    if (next > this.#written) this.#torn += 1
    this.#written = next
  }
}

/** Returns the start of the first line at or after the offset. */
function lineStart(bytes: Buffer, offset: number): number {
  if (bytes[offset - 1] === lineEnd) return offset
  return bytes.indexOf(lineEnd, offset) + 1
}

function linesFrom(bytes: Buffer, offset: number): number {
  let lines = 0
  for (let at = bytes.indexOf(lineEnd, offset); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) lines += 1
  return lines
}
