/** Ends processes and groups of them: first by SIGTERM, then by SIGKILL. */
export interface TwoSignals {
  /** Sends the next signal. False when there is nothing there that could get it. */
  end(target: number): boolean
  /** Begins with SIGTERM again, for all. */
  forget(): void
}

/** It runs in the guard process, from its text: nothing outside of the function may be used in it. */
export function twoSignals(): TwoSignals {
  /** What had its SIGTERM. */
  const warned = new Set<number>()
  return {
    end(target) {
      const signal = warned.has(target) ? 'SIGKILL' : 'SIGTERM'
      warned.add(target)
      try {
        process.kill(target, signal)
        return true
      } catch {
        return false
      }
    },
    forget: () => warned.clear(),
  }
}
