const shown = 4

/** A fault of several items, as one sentence with some of them; nothing when there are none. */
export function grouped<Item>(what: string, items: readonly Item[], show: (item: Item) => string): readonly string[] {
  if (items.length === 0) return []
  const some = items.slice(0, shown).map((item) => `\n    ${show(item)}`)
  return [`${items.length} ${what}:${some.join('')}${items.length > shown ? '\n    …' : ''}`]
}
