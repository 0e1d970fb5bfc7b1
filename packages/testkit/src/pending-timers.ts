/** Timers that have not fired yet. */
export class PendingTimers {
  readonly #timers = new Set<NodeJS.Timeout>()

  /** @param ms in milliseconds */
  later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, ms)
    this.#timers.add(timer)
  }

  /** Waits. Never resolves when the timers are cleared before. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.later(ms, resolve))
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }
}
