/** Clocks of this machine, both in milliseconds. */
export interface Clocks {
  /** Since the epoch, in whole milliseconds. */
  readonly wall: () => number
  /** Since whenever, with fractions. */
  readonly precise: () => number
}

/**
 * Epoch microseconds. Milliseconds are the system's, so that its corrections show; the digits below them count from when
 * the millisecond was first seen, so that what happened later has never an earlier time.
 */
export function createMicroClock({ wall, precise }: Clocks): () => number {
  let milliseconds = Number.NaN
  let began = 0
  return () => {
    const now = wall()
    const at = precise()
    if (now !== milliseconds) {
      milliseconds = now
      began = at
    }
    return now * 1000 + Math.min(999, Math.floor((at - began) * 1000))
  }
}
