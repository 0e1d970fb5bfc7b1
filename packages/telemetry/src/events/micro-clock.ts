import type { Performance } from 'node:perf_hooks'

/** Clocks of this machine. */
export interface Clocks {
  /** The system clock, in whole milliseconds since the epoch. */
  readonly wall: () => number
  /** A steady clock with fractions of milliseconds. It differs from the system clock by the corrections of the system. */
  readonly steady: Pick<Performance, 'timeOrigin' | 'now'>
}

/** The maximum difference of the clocks, in milliseconds, before the steady one is adjusted. */
const tolerance = 2
/** How long the system clock is not read again, in milliseconds: reading a clock costs as much as storing an event. */
const trust = 1
/** A backward correction up to this, in microseconds, does not reverse the order of events. */
const smallCorrection = 10_000

/** Creates a clock in epoch microseconds: the system time, with the missing digits from a steady clock. */
export function createMicroClock({ wall, steady }: Clocks): () => number {
  const { timeOrigin } = steady
  let correction = 0
  let last = 0
  let asked = -Infinity
  return () => {
    const unset = timeOrigin + steady.now()
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
