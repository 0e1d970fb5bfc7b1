/**
 * No other node treats a node as lost that was silent for less than this, in milliseconds. It is longer than the time
 * between two checks, also on a busy machine.
 */
const awayMs = 1_500

/**
 * Detects that this node was away: paused, or suspended with its machine. Other nodes may have treated it as lost
 * meanwhile.
 */
export interface AwayWatch {
  /** How often it was away so far. Must be called before anything is served, and at least every second. */
  absences(): number
  /** Called when it was away without being paused: for example when its connection to the others was lost. */
  wasAway(): void
}

/** @param now epoch milliseconds: a clock that continues while the machine is suspended */
export function createAwayWatch(now: () => number): AwayWatch {
  let seenAt = now()
  let count = 0
  return {
    absences() {
      const checkedAt = now()
      if (checkedAt - seenAt > awayMs) count += 1
      seenAt = checkedAt
      return count
    },
    wasAway() {
      count += 1
    },
  }
}
