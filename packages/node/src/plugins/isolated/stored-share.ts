/** The most names of stores of one plugin: each is an object of the node, or a stream of NATS. */
const mostStores = 64

/** How much the records of one plugin may hold, in characters of their keys and values. */
const mostCharacters = 64 * 1024 * 1024

/** What a record needs besides its text, in characters: small ones must not be free. */
const recordCost = 256

/** A record that is counted. */
interface Kept {
  readonly store: string
  readonly size: number
  /** Epoch milliseconds. */
  readonly writtenAt: number
}

/** The record that is to be written: its store, its key, and the characters of its value. */
export interface CountedRecord {
  readonly store: string
  readonly key: string
  readonly characters: number
}

/** Why a plugin may not store more. */
export type StoreRefusal = { readonly kind: 'refused'; readonly why: string }

/**
 * What one plugin has stored by this node. The records of a plugin in a process of its own are in the memory of the node, or
 * in NATS: the memory that the process may hold does not bound them.
 */
export class StoredShare {
  /** The longest time to live that each was opened with, in milliseconds: no record is certain to be gone before. */
  readonly #stores = new Map<string, number>()
  readonly #kept = new Map<string, Kept>()
  #size = 0

  /** Counts the use of a store. */
  open(store: string, ttlMs: number): StoreRefusal | undefined {
    const known = this.#stores.get(store)
    if (known === undefined && this.#stores.size >= mostStores) {
      return { kind: 'refused', why: `it has ${mostStores} stores already` }
    }
    this.#stores.set(store, Math.max(known ?? 0, ttlMs))
    return undefined
  }

  /**
   * Counts a record that is to be written, in place of an earlier one with this key. The larger of both counts until
   * `written` is called: the write may fail. `now` is in epoch milliseconds.
   */
  put(record: CountedRecord, now: number): StoreRefusal | undefined {
    const size = sizeOf(record)
    const before = (): number => this.#kept.get(idOf(record))?.size ?? 0
    const after = (): number => this.#size - before() + size
    if (after() > mostCharacters) this.#dropExpired(now)
    if (after() > mostCharacters) {
      return { kind: 'refused', why: `its records hold ${mostCharacters / 1024 ** 2} Mi characters already` }
    }
    this.#count(record, Math.max(before(), size), now)
    return undefined
  }

  /** Counts a record that was written. */
  written(record: CountedRecord, now: number): void {
    this.#count(record, sizeOf(record), now)
  }

  /** Call this before a record is removed, and the returned step when it is gone. What was written meanwhile still counts. */
  delete(store: string, key: string): () => void {
    const id = idOf({ store, key })
    const kept = this.#kept.get(id)
    return () => {
      if (this.#kept.get(id) === kept) this.#drop(id)
    }
  }

  #count(record: CountedRecord, size: number, now: number): void {
    const id = idOf(record)
    this.#drop(id)
    this.#size += size
    this.#kept.set(id, { store: record.store, size, writtenAt: now })
  }

  #dropExpired(now: number): void {
    for (const [id, { store, writtenAt }] of this.#kept) {
      if (writtenAt + (this.#stores.get(store) ?? 0) <= now) this.#drop(id)
    }
  }

  #drop(id: string): void {
    this.#size -= this.#kept.get(id)?.size ?? 0
    this.#kept.delete(id)
  }
}

function sizeOf(record: CountedRecord): number {
  return idOf(record).length + record.characters + recordCost
}

function idOf({ store, key }: Pick<CountedRecord, 'store' | 'key'>): string {
  return JSON.stringify([store, key])
}
