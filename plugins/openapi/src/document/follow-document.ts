import { stat } from 'node:fs/promises'
import { digestOf } from './digest-of.ts'
import type { DocumentSource } from './document-source.ts'

/** Is told when a document has changed. */
export interface DocumentListener {
  /**
   * Called with the text when it, or something that it refers to, may have changed, and when it can be read again; one
   * call after the other.
   */
  changed(text: string): Promise<void>
  /** Called with an error of `changed`, and when a document that was there cannot be read. Once for each new reason. */
  failed(error: unknown): void
}

/** How often the dates of files are polled, in milliseconds. Notifications of file systems miss replaced files. */
const pollMs = 1000

/** The pause after a poll of all files, as a multiple of the time that it took. */
const pauseFactor = 20

/**
 * Reads a document again when its file, or one that it refers to, has a new date, or every `refreshMs` milliseconds at a
 * URL.
 *
 * @param text the text that is in use
 */
export function followDocument(
  source: DocumentSource,
  text: string,
  refreshMs: number,
  listener: DocumentListener,
): { close(): Promise<void> } {
  let digest = digestOf(text)
  let current = text
  let lastFailure = ''
  /** Whether the last read failed. Then the listener is called with the next text, although it may be the same. */
  let hasFailed = false
  let isClosed = false
  let reading: Promise<void> = Promise.resolve()
  let isWaiting = false

  async function readAgain(): Promise<void> {
    if (isClosed) return
    const read = await source.read()
    const mayDiffer = source.others.size > 0 || hasFailed
    if (isClosed || (read.kind === 'unchanged' && !mayDiffer)) return
    hasFailed = read.kind === 'failed'
    try {
      if (read.kind === 'failed') throw new Error(`${source.shown} cannot be read: ${read.why}`)
      if (read.kind === 'text') current = read.text
      const next = digestOf(current)
      if (next === digest && !mayDiffer) return
      digest = next
      await listener.changed(current)
      lastFailure = ''
    } catch (error) {
      const failure = String(error)
      if (failure !== lastFailure) listener.failed(error)
      lastFailure = failure
    }
  }
  const readNext = (): Promise<void> => {
    isWaiting = false
    return readAgain()
  }
  const readSoon = (): void => {
    // A server may take longer than the interval: only one read waits for another.
    if (isWaiting) return
    isWaiting = true
    reading = reading.then(readNext)
  }
  const files = (): readonly string[] => [source.origin, ...source.others.keys()]
  const stop = source.url === undefined ? watchByDates(files, readSoon) : every(refreshMs, readSoon)
  return {
    close() {
      isClosed = true
      stop()
      return reading
    },
  }
}

/**
 * Polls the dates of files. The first poll always reports a change: the files may have changed since they were read. Thousands
 * of files are polled one by one, and less often, so that calls do not wait for them.
 */
function watchByDates(files: () => readonly string[], changed: () => void): () => void {
  let last = ''
  let timer = setTimeout(startPoll, pollMs).unref()
  let isOver = false

  async function poll(): Promise<void> {
    const began = performance.now()
    const dates: string[] = []
    // oxlint-disable-next-line no-await-in-loop -- all at once would take the threads that calls need
    for (const file of files()) dates.push(await dateOf(file))
    if (isOver) return
    const current = dates.join('\n')
    if (current !== last) changed()
    last = current
    const tookMs = performance.now() - began
    timer = setTimeout(startPoll, Math.max(pollMs, pauseFactor * tookMs)).unref()
  }
  function startPoll(): void {
    void poll()
  }

  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

async function dateOf(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(file)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return 'gone'
  }
}

function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms)
  timer.unref()
  return () => clearInterval(timer)
}
