import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@junctor/contracts'
import { LineQueue } from './line-queue.ts'
import { RetriedFile } from './retried-file.ts'

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
  const queue = new LineQueue(mostWaiting)
  /** Lines of batches that were given up. */
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
