import type { Readable } from 'node:stream'
import type { Log } from '@junctor/contracts'
import { createLogBudget } from './log-budget.ts'
import { createTextLines } from './text-lines.ts'

/** The backend and the stream that are logged, and how much of a line. */
export interface OutputOptions {
  readonly backend: string
  readonly stream: 'stdout' | 'stderr'
  readonly log: Log
  /** The most characters of one line that are logged. */
  readonly maxLength: number
  readonly redact: (text: string) => string
}

const messages = { stdout: 'a backend wrote to stdout', stderr: 'a backend wrote to stderr' } as const

/** How many lines are kept for the report of an exit. */
const keptLines = 20

/**
 * Logs what a child writes to stderr, or to a stdout that carries no messages. It is always read, so that the child
 * never blocks; the log is limited by line and over time. Output on stderr is not a failure (MCP, stdio transport), so
 * the level is `info`.
 *
 * @returns a function that returns the last lines
 */
export function logOutput(
  output: Readable,
  { backend, stream, log, maxLength, redact }: OutputOptions,
): () => readonly string[] {
  const budget = createLogBudget(() => performance.now())
  const kept: string[] = []
  const lines = createTextLines(maxLength, (raw) => {
    const line = redact(raw)
    kept.push(line)
    if (kept.length > keptLines) kept.shift()
    const suppressed = budget.spend()
    if (suppressed !== undefined) log.info(messages[stream], { backend, line, ...suppressed })
  })
  output.on('data', (chunk: Buffer) => lines.push(chunk))
  output.on('end', () => lines.end())
  output.on('error', () => {})
  return () => [...kept]
}
