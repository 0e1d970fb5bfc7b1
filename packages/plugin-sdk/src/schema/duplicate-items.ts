import { canonicalText } from '@junctor/jsonrpc'

/** The positions of two items that are equal as JSON values, the earlier one second; in linear time. */
export function duplicateItems(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [at, item] of items.entries()) {
    const text = canonicalText(item)
    const earlier = seen.get(text)
    if (earlier !== undefined) return [at, earlier]
    seen.set(text, at)
  }
  return undefined
}
