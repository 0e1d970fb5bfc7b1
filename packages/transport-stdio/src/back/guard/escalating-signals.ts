/** Ends processes and process groups: first with SIGTERM, then with SIGKILL. */
export interface EscalatingSignals {
  /** Sends the next signal. False when there is no process to receive it. */
  end(target: number): boolean
  /** Begins with SIGTERM again, for all targets. */
  forget(): void
}

/** It runs in the guard process, from its source text: the function must not use anything outside it. */
export function escalatingSignals(): EscalatingSignals {
  /** The targets that have received SIGTERM. */
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
