import type { Closer, Log } from '@junctor/contracts'

/** What reloads have replaced, while it ends. */
export interface Endings extends Closer {
  /** Waits for one more. That it rejects is logged. */
  add(ended: Promise<void>): void
  /** Resolves when all have ended, cleanly or not. */
  close(): Promise<void>
}

/** Starts with none. */
export function createEndings(log: Log): Endings {
  const ending = new Set<Promise<void>>()
  return {
    add(ended) {
      ending.add(ended)
      void ended
        .catch((error: unknown) => log.warn('what a reload replaced did not close cleanly', { error }))
        .finally(() => ending.delete(ended))
    },
    async close() {
      await Promise.allSettled(ending)
    },
  }
}
