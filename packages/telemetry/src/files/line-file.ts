import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@junctor/contracts'
import { LineQueue } from './line-queue.ts'
import { RetriedFile } from './retried-file.ts'

/** Where lines go, and how large the file may become. */
export interface LineFileOptions {
  /**
   * Called once when the file cannot be written, and once when it can be written again, with the number of lost lines.
   */
  readonly log: Pick<Log, 'warn' | 'info'>
  /** The size at which a file is full: it is kept as `.1`, older ones as `.2` to `.5`. Default: 100 MiB. */
  readonly mostBytes?: number | undefined
}

/** A file that lines are appended to in the background. */
export interface LineFile {
  /**
   * Adds one line. It is written together with others.
   *
   * @param line the text without its line end
   */
  write(line: string): void
  /** Why it cannot be written now; undefined: it can be written. */
  readonly problem: string | undefined
  /** The number of lines that were lost because they could not be written in time. */
  readonly lost: number
  /** Writes the waiting lines, for at most two seconds. Idempotent; never rejects. */
  close(): Promise<void>
}

/** How long lines are gathered before they are written, in milliseconds. */
const gatherMs = 100
/** How long closing waits for the disk, in milliseconds. */
const closeMs = 2000
/** About a day of a busy gateway, and small enough to be inspected. */
const usualBytes = 100 * 1024 * 1024
/** The maximum number of waiting characters. */
const mostWaiting = 4 * 1024 * 1024

/**
 * Appends lines in batches. A disk that is full, slow or gone blocks no caller: lines wait within a bound, then the
 * oldest are lost. A file that was rotated away is reopened, and a full file is rotated. No line is ever split. Opening
 * the file is tried immediately, and repeated while it fails.
 *
 * The library `sonic-boom` (5.0.2) does not rotate by size or detect that its file was renamed, and drops the newest lines.
 */
export function createLineFile(path: string, { log, mostBytes = usualBytes }: LineFileOptions): LineFile {
  const queue = new LineQueue(mostWaiting)
  /** The number of lines in abandoned batches. */
  let given = 0
  const lost = (): number => queue.dropped + given
  const file = new RetriedFile(path, { mostBytes, log, lost })
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let closed: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (!queue.isEmpty) given += await file.write(queue.take())
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }

  const opening = file.open(() => queue.isEmpty)
  running = opening.finally(() => {
    running = undefined
    if (!queue.isEmpty) void flush()
  })

  const close = async (): Promise<void> => {
    file.giveUp()
    const waited = new AbortController()
    const written = Promise.resolve(running)
      .then(() => flush())
      .then(() => file.close())
    await Promise.race([written, pause(closeMs, undefined, { signal: waited.signal }).catch(() => {})])
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
      return file.problem
    },
    get lost() {
      return lost()
    },
    close: () => (closed ??= close()),
  }
}
