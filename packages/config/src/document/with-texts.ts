import type { Path } from '../problem.ts'

/** Returns a value in which each text is changed, at any depth. Names of members stay. */
export function withTexts(value: unknown, change: (text: string, path: Path) => string, path: Path = []): unknown {
  if (typeof value === 'string') return change(value, path)
  if (Array.isArray(value)) return value.map((item, index) => withTexts(item, change, [...path, index]))
  if (typeof value !== 'object' || value === null) return value
  // An object literal with assignments would be wrong, because the key may be "__proto__".
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withTexts(member, change, [...path, key])]),
  )
}
