/** Removes the oldest entry of a map or set that has more than `most`. */
export function removeOldest<Key>(
  entries: { readonly size: number; keys(): Iterable<Key>; delete(key: Key): unknown },
  most: number,
): void {
  if (entries.size <= most) return
  const [oldest] = entries.keys()
  if (oldest !== undefined) entries.delete(oldest)
}
