import type { Store, Stored } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import type { Expiring, ExpiryTimer } from './expiry-timer.ts'

/**
 * How long an expired record may stay in memory, in milliseconds. No reader sees it any more; a check once a second is
 * cheaper than one for each record.
 */
export const sweepMs = 1000

interface StoreRecord {
  /** Serialized only for a reader, because most records are never read. */
  readonly value: JsonValue
  readonly revision: number
  readonly expiresAt: number
}

/** The records of one store, shared by all nodes of a bus. Each reader gets a copy: nodes never share an object. */
export class MemoryRecords implements Expiring {
  /** In the order of their last put, which is the order of expiry while all nodes use the same time to live. */
  readonly #records = new Map<string, StoreRecord>()
  readonly #timer: ExpiryTimer
  #revision = 0

  constructor(timer: ExpiryTimer) {
    this.#timer = timer
    timer.add(this)
  }

  /** The number of records in memory, including expired ones that are not swept yet. */
  get size(): number {
    return this.#records.size
  }

  get(key: string): StoreRecord | undefined {
    const record = this.#records.get(key)
    return record !== undefined && record.expiresAt > this.#timer.now() ? record : undefined
  }

  put(key: string, value: JsonValue, ttlMs: number, expected: number | undefined): number | 'conflict' {
    if (expected !== undefined && expected !== (this.get(key)?.revision ?? 0)) return 'conflict'
    // Never reused, not even after a delete: an old revision must not match a new record.
    this.#revision += 1
    const expiresAt = this.#timer.now() + ttlMs
    this.#records.delete(key)
    this.#records.set(key, { value, revision: this.#revision, expiresAt })
    this.#timer.wake(expiresAt + sweepMs)
    return this.#revision
  }

  delete(key: string): void {
    this.#records.delete(key)
  }

  keys(prefix: string): readonly string[] {
    const keys = [...this.#records.keys()]
    return keys.filter((key) => key.startsWith(prefix) && this.get(key) !== undefined)
  }

  expire(now: number): number | undefined {
    for (const [key, { expiresAt }] of this.#records) {
      if (expiresAt > now) return expiresAt + sweepMs
      this.#records.delete(key)
    }
    return undefined
  }
}

/** A node's view of a store. `check` throws when the node has left. */
export function createNodeStore<T extends JsonValue>(
  records: MemoryRecords,
  ttlMs: number,
  check: () => void,
): Store<T> {
  return {
    async get(key) {
      check()
      const record = records.get(key)
      if (record === undefined) return undefined
      const stored: Stored<T> = { value: JSON.parse(JSON.stringify(record.value)) as T, revision: record.revision }
      return stored
    },
    async put(key, value, revision) {
      check()
      return records.put(key, value, ttlMs, revision)
    },
    async delete(key) {
      check()
      records.delete(key)
    },
    async keys(prefix) {
      check()
      return records.keys(prefix)
    },
  }
}
