/** The middle one of some numbers, or the mean of the two in the middle. NaN for none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
}

/** The number that a share (0 to 1) of the sorted numbers does not exceed. NaN for none. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN
}

/** The results of several rounds. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/**
 * The median, with the extremes beside it: they show how steady the rounds were. Of no numbers: NaN, Infinity and
 * -Infinity.
 */
export function spread(numbers: readonly number[]): Spread {
  return { median: median(numbers), min: Math.min(...numbers), max: Math.max(...numbers) }
}
