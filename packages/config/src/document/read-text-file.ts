import { closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs'

/** How long to wait for a writer of a pipe, and for a writer that has not written yet, in milliseconds. */
const waits = { end: 2_000, later: 30_000 } as const
/** The pause before a pipe is read again, in milliseconds. */
const pauseMs = 10

/**
 * Reads a file as UTF-8. Throws the errors of the file system, and `ETIMEDOUT` for a pipe that nobody writes to: a
 * gateway that reads its configuration again must not wait for it forever.
 */
export function readTextFile(file: string): string {
  return statSync(file).isFIFO() ? readPipe(file) : readFileSync(file, 'utf8')
}

function readPipe(file: string): string {
  const pipe = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const began = performance.now()
  const chunk = Buffer.alloc(64 * 1024)
  const chunks: Buffer[] = []
  try {
    for (;;) {
      const read = readSome(pipe, chunk)
      if (read === 'end' && chunks.length > 0) return Buffer.concat(chunks).toString()
      if (typeof read === 'number') chunks.push(Buffer.from(chunk.subarray(0, read)))
      else if (performance.now() - began < waits[read])
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
      else throw Object.assign(new Error(`Expected data from the pipe ${file}, got none`), { code: 'ETIMEDOUT' })
    }
  } finally {
    closeSync(pipe)
  }
}

/** How many bytes it has read; `end`: the pipe has no writer, or none yet; `later`: its writer has not written. */
function readSome(pipe: number, chunk: Buffer): number | 'end' | 'later' {
  try {
    return readSync(pipe, chunk) || 'end'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'later'
    throw error
  }
}
