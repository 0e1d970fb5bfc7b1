/**
 * A node that was silent for less is taken for lost by nobody, in milliseconds. More than passes between two looks, also
 * on a machine that is busy.
 */
const awayMs = 1_500

/** Notices that this node was away: stopped, or suspended with its machine. Others may have taken it for lost meanwhile. */
export interface AwayWatch {
  /** How often it was away. To be asked before anything is served, and at least every second. */
  times(): number
  /** It was, without being stopped: its connection to the others was lost, say. */
  wasAway(): void
}

/** @param now epoch milliseconds: a clock that goes on while the machine is suspended */
export function createAwayWatch(now: () => number): AwayWatch {
  let seenAt = now()
  let times = 0
  return {
    times() {
      const at = now()
      if (at - seenAt > awayMs) times += 1
      seenAt = at
      return times
    },
    wasAway() {
      times += 1
    },
  }
}
