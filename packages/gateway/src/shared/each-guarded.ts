/** Gives each item its turn. What one turn throws does not keep the others from theirs: `failed` gets it, with the item. */
export function eachGuarded<Item>(
  items: Iterable<Item>,
  turn: (item: Item) => void,
  failed: (error: unknown, item: Item) => void,
): void {
  for (const item of items) {
    try {
      turn(item)
    } catch (error) {
      failed(error, item)
    }
  }
}
