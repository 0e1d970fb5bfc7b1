/** The most processor time for one check, in milliseconds. A check of a megabyte takes about a tenth. */
export const mostCheckMs = 500

/** How many steps are between two looks at the clock, which takes about a microsecond. */
const stepsBetween = 64

/**
 * The time that a check may take. A schema of a few lines can make a check endless, by references that lead to each
 * other twice, and the node would answer nobody meanwhile.
 */
export class CheckBudget {
  /** The time counts from the first look: nearly every check is over before it. */
  #startedAt: number | undefined
  #steps = 0

  /** Begins a check. */
  start(): void {
    this.#startedAt = undefined
    this.#steps = 0
  }

  /**
   * Counts one step, at a reference.
   *
   * @throws BudgetExceeded
   */
  step(): void {
    if (++this.#steps % stepsBetween === 0) this.look()
  }

  /**
   * Before a step that may take long.
   *
   * @throws BudgetExceeded
   */
  look(): void {
    const now = processorMs()
    this.#startedAt ??= now
    if (now - this.#startedAt > mostCheckMs) throw new BudgetExceeded(`in ${mostCheckMs} ms`)
  }
}

/** A value cannot be checked with what a check may cost; the message says what that is. */
export class BudgetExceeded extends Error {}

/** The processor time of this thread alone, in milliseconds: neither other processes nor a wait count. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
