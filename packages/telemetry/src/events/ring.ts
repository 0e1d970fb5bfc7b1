/** The last so many of what came, in places that are made once and filled again and again. */
export class Ring<Place> {
  readonly #places: Place[] = []
  readonly #keep: number
  readonly #make: () => Place
  /** The place for the next one when the ring is full: that of the oldest. */
  #next = 0

  /** @param keep at least 1 */
  constructor(keep: number, make: () => Place) {
    this.#keep = keep
    this.#make = make
  }

  /** The place for what comes now; what was there is forgotten. */
  next(): Place {
    if (this.#places.length < this.#keep) {
      const place = this.#make()
      this.#places.push(place)
      return place
    }
    const place = this.#places[this.#next] as Place
    this.#next = this.#next + 1 === this.#keep ? 0 : this.#next + 1
    return place
  }

  *newestFirst(): Generator<Place> {
    for (let at = this.#next - 1; at >= 0; at -= 1) yield this.#places[at] as Place
    for (let at = this.#places.length - 1; at >= this.#next; at -= 1) yield this.#places[at] as Place
  }
}
