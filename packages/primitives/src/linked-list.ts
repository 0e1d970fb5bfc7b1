/** The position of an item in a list. Create one per item; then adding and removing allocates nothing. */
export class Place<Item> {
  readonly item: Item
  list: LinkedList<Item> | undefined = undefined
  previous: Place<Item> | undefined = undefined
  next: Place<Item> | undefined = undefined

  constructor(item: Item) {
    this.item = item
  }
}

/**
 * Items in the order in which they were added, for lists that most items leave again soon. A `Set` or `Map` is not
 * suitable: its discarded tables keep removed items in memory until the next full collection, which costs more than all
 * the rest of a request.
 */
export class LinkedList<Item> {
  #first: Place<Item> | undefined = undefined
  #last: Place<Item> | undefined = undefined

  get first(): Place<Item> | undefined {
    return this.#first
  }

  /** Moves the place to the end of this list, from any list it is in. */
  append(place: Place<Item>): void {
    place.list?.remove(place)
    place.list = this
    place.previous = this.#last
    if (this.#last === undefined) this.#first = place
    else this.#last.next = place
    this.#last = place
  }

  /** Removes the place. Returns false when it is not in this list. */
  remove(place: Place<Item>): boolean {
    if (place.list !== this) return false
    const { previous, next } = place
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    place.list = undefined
    place.previous = undefined
    place.next = undefined
    return true
  }

  /** Returns the current items. */
  items(): Item[] {
    const items: Item[] = []
    for (let place = this.#first; place !== undefined; place = place.next) items.push(place.item)
    return items
  }
}
