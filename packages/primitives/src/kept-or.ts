/** A map, or a map that does not hold its keys. */
interface Kept<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The value that a map has for a key. A missing one is made, and kept in the map. */
export function keptOr<Key, Value>(kept: Kept<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  return made
}
