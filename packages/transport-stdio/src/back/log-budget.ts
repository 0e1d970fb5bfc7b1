/** Bounds how many lines one talkative source may log. */
export interface LogBudget {
  /** How many lines were not logged since the last one that was; undefined when this one is not to be logged either. */
  spend(): number | undefined
}

/** Lines that may come at once, and lines each second after that. */
const burst = 100
const perSecond = 10

/** @param now milliseconds, from any start */
export function createLogBudget(now: () => number): LogBudget {
  let left = burst
  let at = now()
  let unspoken = 0
  return {
    spend() {
      const time = now()
      left = Math.min(burst, left + ((time - at) / 1000) * perSecond)
      at = time
      if (left < 1) {
        unspoken += 1
        return undefined
      }
      left -= 1
      const suppressed = unspoken
      unspoken = 0
      return suppressed
    },
  }
}
