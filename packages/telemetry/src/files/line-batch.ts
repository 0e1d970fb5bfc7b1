import type { AppendFile } from './append-file.ts'

const lineEnd = 0x0a

/** Lines on their way into a file. A write may take some of them alone; the next one goes on where it ended. */
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

  /** Lines that are in no file as a whole. */
  get missing(): number {
    return this.#torn + linesFrom(this.#bytes, this.#written)
  }

  /** Writes some of what is not written. Rejects when nothing can be written. */
  async writeTo(file: AppendFile): Promise<void> {
    while (await file.ready()) {
      if (this.#written === 0) break
      this.#leaveTornLine()
      if (this.isWritten) return
    }
    this.#written += await file.write(this.#bytes, this.#written)
  }

  /** The rest of a line that began in another file is no line. */
  #leaveTornLine(): void {
    const next = lineStart(this.#bytes, this.#written)
    if (next > this.#written) this.#torn += 1
    this.#written = next
  }
}

/** Where the first line begins that begins at the offset or later. */
function lineStart(bytes: Buffer, offset: number): number {
  if (bytes[offset - 1] === lineEnd) return offset
  return bytes.indexOf(lineEnd, offset) + 1
}

function linesFrom(bytes: Buffer, offset: number): number {
  let lines = 0
  for (let at = bytes.indexOf(lineEnd, offset); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) lines += 1
  return lines
}
