/**
 * Returns the known word that was most likely intended, if one is similar: one or two typing errors, or a different
 * spelling of the same letters.
 */
export function suggest(written: string, known: readonly string[]): string | undefined {
  const plain = letters(written)
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(plain.length / 3)) + 1
  for (const word of known) {
    const apart = distance(plain, letters(word))
    if (apart < bestDistance) {
      best = word
      bestDistance = apart
    }
  }
  return best
}

/** Ignores case and punctuation: `allowed-hosts` and `allowed_hosts` equal `allowedHosts`. */
function letters(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Returns the number of letters to add, drop, change or swap with their neighbour (optimal string alignment). */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1]
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
