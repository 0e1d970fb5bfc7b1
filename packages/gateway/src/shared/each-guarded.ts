/**
 * Calls `turn` with each item. An error of one turn does not stop the others: `failed` gets the error, with the item.
 */
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
