import type { EntryLog, LogBounds, LogEntry } from '@junctor/contracts'
import { entryBytes } from './entry-bytes.ts'
import type { Expiring, ExpiryTimer } from './expiry-timer.ts'
import { sweepMs } from './memory-store.ts'

interface KeptEntry extends LogEntry {
  readonly bytes: number
  readonly expiresAt: number
}

interface Shelf {
  readonly entries: KeptEntry[]
  bytes: number
}

/** The entries of one log, shared by all nodes of a bus. */
export class MemoryEntries implements Expiring {
  /** In the order of their last append. */
  readonly #shelves = new Map<string, Shelf>()
  /**
   * The last sequence of each key, kept when its entries are gone, so that a returning reader notices what it missed.
   */
  readonly #sequences = new Map<string, number>()
  readonly #timer: ExpiryTimer

  constructor(timer: ExpiryTimer) {
    this.#timer = timer
    timer.add(this)
  }

  /** As `EntryLog.append`. */
  append(key: string, value: string, bounds: LogBounds): number {
    const bytes = entryBytes(value, bounds)
    const sequence = (this.#sequences.get(key) ?? 0) + 1
    const expiresAt = this.#timer.now() + bounds.ageMs
    const shelf = this.#shelves.get(key) ?? { entries: [], bytes: 0 }
    shelf.entries.push({ sequence, value, bytes, expiresAt })
    shelf.bytes += bytes
    while (shelf.entries.length > bounds.entries || shelf.bytes > bounds.bytes) dropOldest(shelf)
    this.#sequences.set(key, sequence)
    this.#shelves.delete(key)
    this.#shelves.set(key, shelf)
    this.#timer.wake(expiresAt + sweepMs)
    return sequence
  }

  read(key: string, after: number): readonly LogEntry[] {
    const now = this.#timer.now()
    const entries = this.#shelves.get(key)?.entries ?? []
    return entries
      .filter((entry) => entry.sequence > after && entry.expiresAt > now)
      .map(({ sequence, value }) => ({ sequence, value }))
  }

  drop(key: string): void {
    this.#shelves.delete(key)
    this.#sequences.delete(key)
  }

  expire(now: number): number | undefined {
    for (const [key, { entries }] of this.#shelves) {
      const expiresAt = entries.at(-1)?.expiresAt ?? now
      if (expiresAt > now) return expiresAt + sweepMs
      this.#shelves.delete(key)
    }
    return undefined
  }
}

function dropOldest(shelf: Shelf): void {
  shelf.bytes -= shelf.entries.shift()?.bytes ?? 0
}

/** A node's view of a log. `check` throws when the node has left. */
export function createMemoryLog(entries: MemoryEntries, bounds: LogBounds, check: () => void): EntryLog {
  return {
    async append(key, value) {
      check()
      return entries.append(key, value, bounds)
    },
    async read(key, after) {
      check()
      return entries.read(key, after)
    },
    async drop(key) {
      check()
      entries.drop(key)
    },
  }
}
