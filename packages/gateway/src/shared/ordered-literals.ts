/**
 * Whether `text` starts with the first literal, ends with the last, and contains the others between them in order. The
 * literals are the parts of a pattern between its wildcards. Takes linear time for every pattern, because it searches
 * for each literal once.
 */
export function hasOrderedLiterals(literals: readonly string[], text: string): boolean {
  const first = literals[0] ?? ''
  if (literals.length < 2) return text === first
  const last = literals.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let from = first.length
  const end = text.length - last.length
  for (const literal of literals.slice(1, -1)) {
    const at = text.indexOf(literal, from)
    if (at === -1 || at + literal.length > end) return false
    from = at + literal.length
  }
  return true
}
