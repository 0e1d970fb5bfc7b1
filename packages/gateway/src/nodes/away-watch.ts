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
  /** How often it was away. Must be called before anything is served, and at least every second. */
  times(): number
  /** Called when it was away without being paused: for example when its connection to the others was lost. */
  wasAway(): void
}

/** @param now epoch milliseconds: a clock that continues while the machine is suspended */
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
