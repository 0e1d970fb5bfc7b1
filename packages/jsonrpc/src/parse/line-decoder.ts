/** The options of a line decoder. The functions are called in the order of the lines and must not throw. */
export interface LineDecoderOptions {
  /**
   * The maximum size of a line in bytes, without its newline. A longer line is dropped. At most twice as many bytes are
   * buffered.
   */
  readonly maxBytes: number
  /** Called with a line without its newline, carriage return and byte order mark. Empty lines are skipped. */
  onLine(text: string): void
  /**
   * Called once for each dropped line, as soon as it is too long. `bytes` is the number of bytes received so far.
   * `beginning` is its first 256 bytes, one character for each.
   */
  onOverlong(bytes: number, beginning: string): void
  /** Called once for each dropped line, at its newline. `ending` is its last 256 bytes, one character for each. */
  onOverlongEnd?(ending: string): void
  /** Called in place of a line that is not UTF-8. `text` is what can be read of it: other bytes are U+FFFD. */
  onInvalid(text: string): void
}

/** Converts bytes into lines. */
export interface LineDecoder {
  /** Processes the next bytes of the stream. They are not kept, so the caller may reuse their memory. */
  push(chunk: Uint8Array): void
  /** Ends the stream: bytes after the last newline are reported as a line too. */
  end(): void
}

/** Splits a stream of UTF-8 bytes at its newlines (the framing of stdio, NDJSON and child processes). */
export function createLineDecoder(options: LineDecoderOptions): LineDecoder {
  return new NewlineDecoder(options)
}

const newline = 0x0a

/** A buffer that a large line has made larger than this is released after the line. */
const keptCapacity = 64 * 1024

/**
 * The number of bytes at each end of a dropped line that are reported. They are the most likely to identify the line.
 */
const shownBytes = 256

// Byte order marks are kept here and removed line by line, so that the result does not depend on which lines are
// decoded together.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

class NewlineDecoder implements LineDecoder {
  readonly #options: LineDecoderOptions
  /**
   * Its first `#length` bytes are the beginning of an unfinished line. They were searched for a newline, and are not
   * searched again.
   */
  #buffer = new Uint8Array(0)
  #length = 0
  /** The current line is too long, and its rest is skipped. */
  #dropping = false
  /** The last bytes of a dropped line so far. */
  #ending = ''

  constructor(options: LineDecoderOptions) {
    this.#options = options
  }

  push(chunk: Uint8Array): void {
    const first = chunk.indexOf(newline)
    if (first === -1) {
      this.#hold(chunk)
      return
    }
    let start = 0
    if (this.#length > 0 || this.#dropping) {
      this.#hold(chunk.subarray(0, first))
      this.#finish()
      start = first + 1
    }
    const last = chunk.lastIndexOf(newline)
    if (last >= start) this.#takeLines(chunk.subarray(start, last))
    if (last + 1 < chunk.length) this.#hold(chunk.subarray(last + 1))
  }

  end(): void {
    this.#finish()
  }

  #hold(bytes: Uint8Array): void {
    if (this.#dropping) {
      this.#ending = lastCharacters(this.#ending, bytes)
      return
    }
    const length = this.#length + bytes.length
    if (length > this.#options.maxBytes) {
      const held = this.#buffer.subarray(0, this.#length)
      const beginning = characters(held.subarray(0, shownBytes)) + characters(bytes.subarray(0, shownBytes))
      this.#dropping = true
      this.#ending = lastCharacters(lastCharacters('', held), bytes)
      this.#release()
      this.#options.onOverlong(length, beginning.slice(0, shownBytes))
      return
    }
    if (length > this.#buffer.length) {
      // Doubling keeps the cost of copying linear, also for small chunks.
      const doubled = Math.min(2 * this.#buffer.length, this.#options.maxBytes)
      const larger = new Uint8Array(Math.max(length, doubled))
      larger.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = larger
    }
    this.#buffer.set(bytes, this.#length)
    this.#length = length
  }

  #finish(): void {
    if (this.#dropping) this.#options.onOverlongEnd?.(this.#ending)
    else this.#takeLine(this.#buffer.subarray(0, this.#length))
    this.#dropping = false
    this.#ending = ''
    this.#release()
  }

  #release(): void {
    this.#length = 0
    if (this.#buffer.length > keptCapacity) this.#buffer = new Uint8Array(0)
  }

  /**
   * Processes complete lines, the last one without its newline. All of them are decoded together, which makes small
   * lines cheap.
   */
  #takeLines(bytes: Uint8Array): void {
    const text = bytes.length <= this.#options.maxBytes ? decode(bytes) : undefined
    if (text === undefined) {
      this.#takeOneByOne(bytes)
      return
    }
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#emit(text.slice(start, end))
      start = end + 1
    }
    this.#emit(text.slice(start))
  }

  #takeOneByOne(bytes: Uint8Array): void {
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      this.#takeLine(bytes.subarray(start, end))
      start = end + 1
    }
    this.#takeLine(bytes.subarray(start))
  }

  #takeLine(bytes: Uint8Array): void {
    if (bytes.length > this.#options.maxBytes) {
      this.#options.onOverlong(bytes.length, characters(bytes.subarray(0, shownBytes)))
      this.#options.onOverlongEnd?.(lastCharacters('', bytes))
      return
    }
    const text = decode(bytes)
    if (text === undefined) this.#options.onInvalid(new TextDecoder().decode(bytes))
    else this.#emit(text)
  }

  #emit(line: string): void {
    const start = line.startsWith('\uFEFF') ? 1 : 0
    const end = line.endsWith('\r') ? line.length - 1 : line.length
    if (end > start) this.#options.onLine(end - start === line.length ? line : line.slice(start, end))
  }
}

/** Returns one character for each byte, because the line may be split within a UTF-8 character. */
function characters(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function lastCharacters(before: string, bytes: Uint8Array): string {
  const last = characters(bytes.subarray(Math.max(0, bytes.length - shownBytes)))
  return (before + last).slice(-shownBytes)
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
