/** A node of a list, with its item. Create one per item; then adding and removing allocates nothing. */
export class ListNode<Item> {
  readonly item: Item
  list: LinkedList<Item> | undefined = undefined
  previous: ListNode<Item> | undefined = undefined
  next: ListNode<Item> | undefined = undefined

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
  #first: ListNode<Item> | undefined = undefined
  #last: ListNode<Item> | undefined = undefined

  get first(): ListNode<Item> | undefined {
    return this.#first
  }

  /** Moves the node to the end of this list, from any list it is in. */
  append(node: ListNode<Item>): void {
    node.list?.remove(node)
    node.list = this
    node.previous = this.#last
    if (this.#last === undefined) this.#first = node
    else this.#last.next = node
    this.#last = node
  }

  /** Removes the node. Returns false when it is not in this list. */
  remove(node: ListNode<Item>): boolean {
    if (node.list !== this) return false
    const { previous, next } = node
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    node.list = undefined
    node.previous = undefined
    node.next = undefined
    return true
  }

  /** Returns the current items. */
  items(): Item[] {
    const items: Item[] = []
    for (let node = this.#first; node !== undefined; node = node.next) items.push(node.item)
    return items
  }
}
