/** The most names of stores of one plugin: each is an object of the node, or a stream of NATS. */
const mostStores = 64

/** How much the records of one plugin may hold, in characters of their keys and values. */
const mostCharacters = 64 * 1024 * 1024

/** What a record needs besides its text, in characters: small ones must not be free. */
const recordCost = 256

interface Kept {
  readonly size: number
  readonly expiresAt: number
}

/** Why a plugin may not store more. */
export type StoreRefusal = { readonly kind: 'refused'; readonly why: string }

/**
 * What one plugin has stored by this node. The records of a plugin in a process of its own are in the memory of the node, or
 * in NATS: the memory that the process may hold does not bound them.
 */
export class StoredShare {
  readonly #stores = new Set<string>()
  readonly #kept = new Map<string, Kept>()
  #size = 0

  /** Counts the use of a store. */
  open(store: string): StoreRefusal | undefined {
    if (this.#stores.has(store)) return undefined
    if (this.#stores.size >= mostStores) return { kind: 'refused', why: `it has ${mostStores} stores already` }
    this.#stores.add(store)
    return undefined
  }

  /** Counts a record, in place of an earlier one with this key. `now` is in epoch milliseconds. */
  put(store: string, key: string, characters: number, ttlMs: number, now: number): StoreRefusal | undefined {
    const id = idOf(store, key)
    const size = id.length + characters + recordCost
    const after = (): number => this.#size - (this.#kept.get(id)?.size ?? 0) + size
    if (after() > mostCharacters) this.#dropExpired(now)
    if (after() > mostCharacters) {
      return { kind: 'refused', why: `its records hold ${mostCharacters / 1024 ** 2} Mi characters already` }
    }
    this.#size = after()
    this.#kept.set(id, { size, expiresAt: now + ttlMs })
    return undefined
  }

  delete(store: string, key: string): void {
    this.#drop(idOf(store, key))
  }

  #dropExpired(now: number): void {
    for (const [id, { expiresAt }] of this.#kept) if (expiresAt <= now) this.#drop(id)
  }

  #drop(id: string): void {
    this.#size -= this.#kept.get(id)?.size ?? 0
    this.#kept.delete(id)
  }
}

function idOf(store: string, key: string): string {
  return JSON.stringify([store, key])
}
