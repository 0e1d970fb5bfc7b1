/** A field of a logged line: how many lines were suppressed since the one before it. Absent: none was. */
interface SuppressedLines {
  readonly suppressed?: number
}

/** Limits how many lines one source may log. */
export interface LogBudget {
  /** What the line says of those before it; undefined when it must be suppressed too. */
  spend(): SuppressedLines | undefined
}

/** How many lines may come in a burst, and how many each second after that. */
const burst = 100
const perSecond = 10

/**
 * Makes a budget for the log lines of one program: a hundred at once, then ten in a second.
 *
 * @param now milliseconds, from any start
 */
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
      return suppressed === 0 ? {} : { suppressed }
    },
  }
}
