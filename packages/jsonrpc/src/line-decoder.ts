/** What a line decoder is told and whom it tells. The functions are called in the order of the lines and must not throw. */
export interface LineDecoderOptions {
  /** A line of more bytes than this, its newline not counted, is dropped. Twice as many bytes are held at most. */
  readonly maxBytes: number
  /** A line without its newline, carriage return and byte order mark. Empty lines are skipped. */
  onLine(text: string): void
  /**
   * Once for each dropped line, as soon as it has grown too long; `bytes` of it have come so far. `beginning` is its first
   * 256 bytes, a character for each.
   */
  onOverlong(bytes: number, beginning: string): void
  /** Once for each dropped line, when its newline has come. `ending` is its last 256 bytes, a character for each. */
  onOverlongEnd?(ending: string): void
  /** In place of a line that is not UTF-8. */
  onInvalid(): void
}

/** Bytes in, lines out. */
export interface LineDecoder {
  /** Takes the next bytes of the stream. They are not kept: their memory may be used again afterwards. */
  push(chunk: Uint8Array): void
  /** The stream is over: what came after the last newline is a line too. */
  end(): void
}

/** Splits a stream of UTF-8 bytes at its newlines (the framing of stdio, NDJSON and child processes). */
export function createLineDecoder(options: LineDecoderOptions): LineDecoder {
  return new NewlineDecoder(options)
}

const newline = 0x0a

/** A buffer that one large line has made larger than this is given back after it. */
const keptCapacity = 64 * 1024

/** Bytes of either end of a dropped line that are told: what it was to be is said there, if anywhere. */
const shownBytes = 256

// Keeps byte order marks: they are removed line by line, so that it does not matter which lines are decoded together.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

class NewlineDecoder implements LineDecoder {
  readonly #options: LineDecoderOptions
  /** Its first `#length` bytes are the beginning of a line whose newline has not come yet. Searched before, never again. */
  #buffer = new Uint8Array(0)
  #length = 0
  /** The current line is too long; its rest is passed over. */
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
      // Doubling keeps the copying linear however small the chunks are.
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

  /** Takes whole lines, the last one without its newline. One decoding for all of them is what makes small lines cheap. */
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
    if (text === undefined) this.#options.onInvalid()
    else this.#emit(text)
  }

  #emit(line: string): void {
    const start = line.startsWith('\uFEFF') ? 1 : 0
    const end = line.endsWith('\r') ? line.length - 1 : line.length
    if (end > start) this.#options.onLine(end - start === line.length ? line : line.slice(start, end))
  }
}

/** A character for each byte: where a line was cut, UTF-8 may be cut too. */
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
