import type { RequestId } from '../message/request-id.ts'

interface Entry<Value, Id> {
  readonly id: Id
  readonly hash: number
  /** Rises with each entry. */
  readonly number: number
  value: Value
}

/** The number of places of the first table, and of a table that is empty again. A power of two. */
const fewPlaces = 16

/** An empty table with more places than this is released. */
const keptPlaces = 1024

/**
 * Values under ids that are removed again soon: requests in flight, jobs that run.
 *
 * A `Map` is not suitable. As entries are added and removed, it replaces its table again and again. Once such a table is
 * old, it keeps the next one in memory, and that the one after it, until the next full collection: the collections of
 * young objects then take twice as long, and all of them move to old memory. Here a removed entry leaves nothing.
 */
export class Pending<Value, Id extends string = RequestId> {
  /** Open addressing with linear probing: an entry is at the place of its hash, or at the next free one after it. */
  #places: (Entry<Value, Id> | undefined)[] = emptyPlaces(fewPlaces)
  #size = 0
  #last = 0

  get size(): number {
    return this.#size
  }

  /** Whether something waits for a response with this id. */
  has(id: Id): boolean {
    return this.#places[this.#placeOf(id, hashOf(id))] !== undefined
  }

  /** What waits for the response with this id. */
  get(id: Id): Value | undefined {
    return this.#places[this.#placeOf(id, hashOf(id))]?.value
  }

  /** Sets the value of the id, and replaces an existing one. */
  set(id: Id, value: Value): void {
    const hash = hashOf(id)
    const place = this.#placeOf(id, hash)
    const known = this.#places[place]
    if (known !== undefined) {
      known.value = value
      return
    }
    this.#last += 1
    this.#places[place] = { id, hash, number: this.#last, value }
    this.#size += 1
    if (2 * this.#size > this.#places.length) this.#grow()
  }

  /** Removes and returns the value of the id. */
  take(id: Id): Value | undefined {
    const place = this.#placeOf(id, hashOf(id))
    const entry = this.#places[place]
    if (entry === undefined) return undefined
    this.#clear(place)
    return entry.value
  }

  /** Removes the id if its value is this one: another may have replaced it. */
  remove(id: Id, value: Value): void {
    const place = this.#placeOf(id, hashOf(id))
    if (this.#places[place]?.value === value) this.#clear(place)
  }

  /** Returns the current values, oldest first. */
  values(): Value[] {
    return this.#places
      .filter((entry) => entry !== undefined)
      .toSorted((one, other) => one.number - other.number)
      .map(({ value }) => value)
  }

  #clear(place: number): void {
    this.#size -= 1
    if (this.#size === 0 && this.#places.length > keptPlaces) this.#places = emptyPlaces(fewPlaces)
    else this.#free(place)
  }

  /** The place of the id; a free one when it has none. */
  #placeOf(id: Id, hash: number): number {
    const places = this.#places
    const mask = places.length - 1
    let place = hash & mask
    for (let entry = places[place]; entry !== undefined && entry.id !== id; entry = places[place]) {
      place = (place + 1) & mask
    }
    return place
  }

  /** Frees a place, and moves the entries after it that could not be found any more. */
  #free(place: number): void {
    const places = this.#places
    const mask = places.length - 1
    let free = place
    places[free] = undefined
    let next = (free + 1) & mask
    for (let entry = places[next]; entry !== undefined; entry = places[next]) {
      const isBetween = ((next - entry.hash) & mask) < ((next - free) & mask)
      if (!isBetween) {
        places[free] = entry
        places[next] = undefined
        free = next
      }
      next = (next + 1) & mask
    }
  }

  #grow(): void {
    const entries = this.#places
    this.#places = emptyPlaces(2 * entries.length)
    for (const entry of entries) {
      if (entry !== undefined) this.#places[this.#placeOf(entry.id, entry.hash)] = entry
    }
  }
}

function emptyPlaces<Value, Id>(count: number): (Entry<Value, Id> | undefined)[] {
  return Array.from({ length: count }, () => undefined)
}

/** The characters of an id that its hash uses, from its end: an id may be as long as a message. */
const hashedCharacters = 64

/** FNV-1a over the last characters of an id. Consecutive numbers get different places. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5 | 0
  for (let at = Math.max(0, id.length - hashedCharacters); at < id.length; at++)
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return hash
}
