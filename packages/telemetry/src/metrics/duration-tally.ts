/** The distribution of durations in buckets. It uses milliseconds; the output uses seconds. */
export class DurationTally {
  /** One more than there are bounds: the last bucket is for values above all bounds. */
  readonly counts: number[]
  sum = 0
  readonly bounds: readonly number[]

  /** @param bounds the upper bounds of the buckets, rising, in milliseconds */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  add(durationMs: number): void {
    const { bounds } = this
    let index = 0
    while (index < bounds.length && durationMs > (bounds[index] as number)) index += 1
    this.counts[index] = (this.counts[index] as number) + 1
    this.sum += durationMs
  }
}
