import { readFileSync } from 'node:fs'
import type { JsonValue } from '@junctor/jsonrpc'
import type { PipeFabric } from '@junctor/fabric/pipe'
import { controls } from './plugin-requests.ts'

/** The process that is watched, and how much memory it may hold, in bytes. */
export interface ProcessWatchParts {
  readonly pid: number
  readonly memoryBytes: number
  readonly calls: Pick<PipeFabric, 'control'>
  /** Ends the process, with the reason. */
  readonly kill: (why: string) => void
}

/** How often the memory is read, in milliseconds. Reading takes some 30 µs. */
const roundMs = 250

/** How often the process is asked for a sign of life, in milliseconds. */
const pingMs = 2_000

/** A process that gives no sign of life for this long is in a loop, in milliseconds. */
const stuckMs = 10_000

/**
 * Ends a process that holds too much memory, inside or outside of the heap of its engine, or whose event loop does not
 * turn. A process that waits for something turns its loop: its calls have deadlines.
 */
export class ProcessWatch {
  readonly #parts: ProcessWatchParts
  readonly #timer: NodeJS.Timeout
  #at: number
  #askedAt: number
  #aliveAt: number

  constructor(parts: ProcessWatchParts) {
    this.#parts = parts
    this.#at = this.#askedAt = this.#aliveAt = performance.now()
    this.#timer = setInterval(() => this.#look(performance.now()), roundMs).unref()
  }

  /** Called with an answer to a ping: the memory of the process, for systems that do not show it. */
  answered(body: JsonValue): void {
    this.#aliveAt = performance.now()
    if (typeof body === 'number') this.#judge(body)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(now: number): void {
    const { pid, calls, kill } = this.#parts
    // The node itself has stood still, or the machine was asleep: the process had no chance to answer.
    if (now - this.#at > pingMs) this.#aliveAt = now
    this.#at = now
    this.#judge(residentMemory(pid) ?? 0)
    if (now - this.#aliveAt > stuckMs) kill(`did nothing else for ${stuckMs / 1000} s: it is in a loop`)
    if (now - this.#askedAt < pingMs) return
    this.#askedAt = now
    calls.control({ kind: controls.ping, body: null })
  }

  #judge(bytes: number): void {
    const { memoryBytes, kill } = this.#parts
    if (bytes > memoryBytes) kill(`held ${mebibytes(bytes)} of memory, and may hold ${mebibytes(memoryBytes)}`)
  }
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}

/** The resident memory of another process, in bytes; undefined where the system has no `/proc`, or no such process. */
function residentMemory(pid: number): number | undefined {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}
