import { closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs'

/** How long to wait for a writer of a pipe, and for a writer that has not written yet, in milliseconds. */
const waits = { end: 2_000, later: 30_000 } as const
/** The pause before a pipe is read again, in milliseconds. */
const pauseMs = 10

/** The most bytes of a file that is read as a text. A larger one, or a device without an end, is another file than meant. */
const mostBytes = 4 * 1024 * 1024

/**
 * Reads a file as UTF-8, without the byte order mark that some editors write. Throws the errors of the file system, and
 * errors with these codes:
 *
 * - `ETIMEDOUT` for a pipe that nobody writes to: a gateway that reads its configuration again must not wait for it forever.
 * - `EFBIG` for a file of more than 4 MiB.
 * - `EILSEQ` for bytes that are not UTF-8. A password would be another one with replacement characters in it.
 */
export function readTextFile(file: string): string {
  const stats = statSync(file)
  if (stats.isFile() && stats.size > mostBytes) throw tooLarge(file)
  const bytes = stats.isFile() ? readFileSync(file) : readStream(file, stats.isFIFO())
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw failure('EILSEQ', `Expected UTF-8 in ${file}`, error)
  }
}

/** Reads a pipe or a device. */
function readStream(file: string, isPipe: boolean): Buffer {
  const stream = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const began = performance.now()
  const chunk = Buffer.alloc(64 * 1024)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for (;;) {
      const read = readSome(stream, chunk)
      if (read === 'end' && (bytes > 0 || !isPipe)) return Buffer.concat(chunks)
      if (typeof read === 'number') {
        chunks.push(Buffer.from(chunk.subarray(0, read)))
        bytes += read
        if (bytes > mostBytes) throw tooLarge(file)
      } else if (performance.now() - began < waits[read])
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
      else throw failure('ETIMEDOUT', `Expected data from the pipe ${file}, got none`)
    }
  } finally {
    closeSync(stream)
  }
}

function tooLarge(file: string): Error {
  return failure('EFBIG', `Expected at most ${mostBytes} bytes in ${file}`)
}

function failure(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code })
}

/** How many bytes it has read; `end`: a pipe has no writer, or none yet; `later`: its writer has not written. */
function readSome(stream: number, chunk: Buffer): number | 'end' | 'later' {
  try {
    return readSync(stream, chunk) || 'end'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'later'
    throw error
  }
}
