import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import type { DocumentSource } from './document-source.ts'

/** What happens when a document has changed. */
export interface DocumentListener {
  /** Called with the new text, one call after the other. */
  changed(text: string): Promise<void>
  /** Called with an error of `changed`, and when a document that was there cannot be read. Once for each new reason. */
  failed(error: unknown): void
}

/** How often the date of a file is looked at, in milliseconds. Notifications of file systems miss replaced files. */
const fileRoundMs = 1000

/**
 * Reads a document again when its file has a new date, or every `refreshMs` milliseconds at a URL.
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
  let lastFailure = ''
  let isClosed = false
  let round: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (isClosed) return
    const read = await source.read()
    if (isClosed || read.kind === 'unchanged') return
    try {
      if (read.kind === 'failed') throw new Error(`${source.shown} cannot be read: ${read.why}`)
      const next = digestOf(read.text)
      if (next === digest) return
      digest = next
      await listener.changed(read.text)
      lastFailure = ''
    } catch (error) {
      const failure = String(error)
      if (failure !== lastFailure) listener.failed(error)
      lastFailure = failure
    }
  }
  const lookSoon = (): void => {
    round = round.then(look)
  }
  const stop = source.url === undefined ? watchByDate(source.origin, lookSoon) : every(refreshMs, lookSoon)
  return {
    close() {
      isClosed = true
      stop()
      return round
    },
  }
}

/** The first round always reads the file: it may have changed between the first reading and now. */
function watchByDate(file: string, changed: () => void): () => void {
  let last = ''
  return every(fileRoundMs, () => {
    const stats = statSync(file, { throwIfNoEntry: false })
    const current = stats === undefined ? 'gone' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`
    if (current !== last) changed()
    last = current
  })
}

function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms)
  timer.unref()
  return () => clearInterval(timer)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
