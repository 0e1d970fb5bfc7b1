/**
 * Items by names that are never reused. Most items leave soon, and their array places are reused: a map would keep
 * removed entries in its discarded tables until the next full garbage collection.
 */
export class Inboxes<Item> {
  readonly #prefix: string
  readonly #items: (Item | undefined)[] = []
  readonly #names: string[] = []
  readonly #free: number[] = []
  #count = 0

  /** @param prefix the beginning of all names */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** Adds an item, and returns its name. */
  add(item: Item): string {
    const place = this.#free.pop() ?? this.#items.length
    this.#count += 1
    const name = `${this.#prefix}${place.toString(36)}-${this.#count.toString(36)}`
    this.#items[place] = item
    this.#names[place] = name
    return name
  }

  get(name: string): Item | undefined {
    const place = this.#placeOf(name)
    return this.#names[place] === name ? this.#items[place] : undefined
  }

  remove(name: string): void {
    const place = this.#placeOf(name)
    if (this.#names[place] !== name) return
    this.#names[place] = ''
    this.#items[place] = undefined
    this.#free.push(place)
  }

  #placeOf(name: string): number {
    return Number.parseInt(name.slice(this.#prefix.length), 36)
  }
}
