import { keptOr } from '@junctor/primitives'

/** How many items may wait, in all and of one owner. */
export interface QueueRoom {
  /** The most items that wait. */
  readonly all: number
  /** The most items of one owner that wait. */
  readonly ofOwner: number
}

/** Items that wait, with their owners. Owners take turns, so an owner with many items delays another by one item. */
export class FairQueue<Item> {
  /** The owner whose turn it is comes first. No owner is without items. */
  readonly #owners = new Map<string, Set<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Whether one more item of the owner may wait. */
  hasRoom(owner: string, { all, ofOwner }: QueueRoom): boolean {
    return this.#size < all && (this.#owners.get(owner)?.size ?? 0) < ofOwner
  }

  add(owner: string, item: Item): void {
    keptOr(this.#owners, owner, () => new Set()).add(item)
    this.#size += 1
  }

  /** Removes an item that does not wait any more. Returns false when it is not in the queue. */
  remove(owner: string, item: Item): boolean {
    const items = this.#owners.get(owner)
    if (items?.delete(item) !== true) return false
    if (items.size === 0) this.#owners.delete(owner)
    this.#size -= 1
    return true
  }

  /** Takes the item that has waited longest of the owner whose turn it is; then it is the turn of the next owner. */
  next(): Item | undefined {
    const [turn] = this.#owners
    if (turn === undefined) return undefined
    const [owner, items] = turn
    const [item] = items
    if (item === undefined) return undefined
    this.remove(owner, item)
    if (items.size > 0) {
      this.#owners.delete(owner)
      this.#owners.set(owner, items)
    }
    return item
  }
}
