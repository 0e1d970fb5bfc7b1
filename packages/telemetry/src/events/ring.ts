/** The last so many of what was pushed. */
export class Ring<Item> {
  readonly #items: Item[] = []
  readonly #keep: number
  /** Where the next one goes when the ring is full: where the oldest is. */
  #next = 0

  /** @param keep at least 1 */
  constructor(keep: number) {
    this.#keep = keep
  }

  push(item: Item): void {
    if (this.#items.length < this.#keep) {
      this.#items.push(item)
      return
    }
    this.#items[this.#next] = item
    this.#next = this.#next + 1 === this.#keep ? 0 : this.#next + 1
  }

  *newestFirst(): Generator<Item> {
    for (let at = this.#next - 1; at >= 0; at -= 1) yield this.#items[at] as Item
    for (let at = this.#items.length - 1; at >= this.#next; at -= 1) yield this.#items[at] as Item
  }
}
