import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@junctor/exchange'
import { AppendFile } from './append-file.ts'
import { LineQueue } from './line-queue.ts'

export interface LineFileOptions {
  /** Hears once that the file cannot be written, and once that it can again and what was lost. */
  readonly log: Pick<Log, 'warn' | 'info'>
  /** From this size on a file is full: it is kept as `.1`, older ones as `.2` to `.5`. Default: 100 MiB. */
  readonly mostBytes?: number | undefined
}

/** A file that lines are appended to without anybody waiting. */
export interface LineFile {
  /** @param line without its end */
  write(line: string): void
  /** Why it cannot be written now; undefined: it can. */
  readonly problem: string | undefined
  /** Lines that were lost because they could not be written in time. */
  readonly lost: number
  /** Writes what waits, as long as that takes no more than two seconds. Idempotent; never rejects. */
  close(): Promise<void>
}

/** Lines wait for further ones for so long, in milliseconds. */
const gatherMs = 100
/** What cannot be written is tried again after this, in milliseconds. */
const retryMs = 1000
/** How long closing waits for the disk, in milliseconds. */
const closeMs = 2000
/** A day or so of a busy gateway, and small enough to be looked at. */
const usualBytes = 100 * 1024 * 1024
/** Characters that wait at most. */
const mostWaiting = 4 * 1024 * 1024

/**
 * Appends lines in batches. A disk that is full, slow or gone stops nobody: lines wait within a bound, then the oldest are
 * lost. A file that was rotated away is opened anew, and one that is full is rotated away. No line is ever torn. Whether it
 * can be written is tried at once, and again for as long as it cannot.
 *
 * The library `sonic-boom` was looked at (5.0.2) and is not used: it neither rotates by size nor notices that its file was
 * renamed, and of what does not fit it drops the newest lines, where these are the ones that matter. After an error it
 * waits to be told to go on, and a write that was cut short is continued in whatever file it reopens, so that what is here
 * would have to be written around it.
 */
export function createLineFile(path: string, { log, mostBytes = usualBytes }: LineFileOptions): LineFile {
  const file = new AppendFile(path, mostBytes)
  const queue = new LineQueue(mostWaiting)
  const closing = new AbortController()
  /** Lines of batches that were given up. */
  let given = 0
  let problem: string | undefined
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let closed: Promise<void> | undefined

  const lost = (): number => queue.dropped + given

  const broke = (error: unknown): void => {
    const before = problem
    problem = error instanceof Error ? error.message : String(error)
    if (before !== undefined) return
    log.warn('a file cannot be written; its lines wait within a bound, then the oldest are lost', { file: path, error })
  }

  const worked = (): void => {
    if (problem === undefined) return
    problem = undefined
    log.info('a file can be written again', { file: path, lost: lost() })
  }

  /** Writes a batch, trying again until it is written or nobody waits any more. Gives the lines that are lost. */
  const writeBatch = async (lines: readonly string[]): Promise<number> => {
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    let offset = 0
    let torn = 0
    while (offset < bytes.length) {
      try {
        if ((await file.ready()) && offset > 0) {
          // The rest of a line that began in the file before is no line.
          const start = lineStart(bytes, offset)
          if (start > offset) torn = 1
          offset = start
          continue
        }
        offset += await file.write(bytes, offset)
        worked()
      } catch (error) {
        broke(error)
        if (closing.signal.aborted) return torn + linesFrom(bytes, offset)
        await pause(retryMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      }
    }
    return torn
  }

  const run = async (): Promise<void> => {
    while (!queue.isEmpty) {
      given += await writeBatch(queue.take())
      await file.rotate().catch(broke)
    }
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }

  /** Nobody has to write a line to learn that it cannot be written. */
  const probe = async (): Promise<void> => {
    while (!closing.signal.aborted && queue.isEmpty) {
      try {
        await file.ready()
        return worked()
      } catch (error) {
        broke(error)
      }
      await pause(retryMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }
  running = probe().finally(() => {
    running = undefined
    if (!queue.isEmpty) void flush()
  })

  const close = async (): Promise<void> => {
    closing.abort()
    const waited = new AbortController()
    const written = Promise.resolve(running)
      .then(() => flush())
      .then(() => file.close())
    const late = pause(closeMs, undefined, { signal: waited.signal }).catch(() => {})
    await Promise.race([written.catch(broke), late])
    waited.abort()
    if (lost() > 0) log.warn('lines of a file were lost', { file: path, lost: lost() })
  }

  return {
    write(line) {
      if (closed !== undefined) return
      queue.push(line)
      if (running === undefined) timer ??= setTimeout(() => void flush(), gatherMs).unref()
    },
    get problem() {
      return problem
    },
    get lost() {
      return lost()
    },
    close: () => (closed ??= close()),
  }
}

/** Where the first line begins that begins at the offset or later. */
function lineStart(bytes: Buffer, offset: number): number {
  if (bytes[offset - 1] === 0x0a) return offset
  return bytes.indexOf(0x0a, offset) + 1
}

function linesFrom(bytes: Buffer, offset: number): number {
  let lines = 0
  for (let at = bytes.indexOf(0x0a, offset); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines += 1
  return lines
}
