/** Clocks of this machine, both in milliseconds since the epoch. */
export interface Clocks {
  /** As the system sets it, in whole milliseconds. */
  readonly wall: () => number
  /** Steady, with fractions, and apart from the other as the system corrects it. */
  readonly steady: () => number
}

/** Milliseconds that the clocks may be apart before the steady one is set anew. */
const tolerance = 2
/** Milliseconds for which the system's clock is not asked again: reading a clock costs as much as keeping an event. */
const trust = 1
/** A correction back by no more than this, in microseconds, does not turn the order of events around. */
const smallCorrection = 10_000

/** Epoch microseconds: the system's time, with the digits that it does not tell from a steady clock. */
export function createMicroClock({ wall, steady }: Clocks): () => number {
  let correction = 0
  let last = 0
  let asked = -Infinity
  return () => {
    const unset = steady()
    if (unset - asked >= trust) {
      asked = unset
      const now = wall()
      if (Math.abs(unset + correction - now) > tolerance) correction = now - unset
    }
    const microseconds = Math.floor((unset + correction) * 1000)
    if (microseconds > last || last - microseconds > smallCorrection) last = microseconds
    return last
  }
}
