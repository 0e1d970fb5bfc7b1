import type { Closer, Log } from '@junctor/contracts'

/** The shutdowns of parts that reloads have replaced. */
export interface PendingShutdowns extends Closer {
  /** Adds a shutdown. A rejection is logged. */
  add(ended: Promise<void>): void
  /** Resolves when all have ended, successfully or not. */
  close(): Promise<void>
}

/** Creates an empty set. */
export function createPendingShutdowns(log: Log): PendingShutdowns {
  const ending = new Set<Promise<void>>()
  return {
    add(ended) {
      ending.add(ended)
      void ended
        .catch((error: unknown) => log.warn('a part that a reload replaced did not close cleanly', { error }))
        .finally(() => ending.delete(ended))
    },
    async close() {
      await Promise.allSettled(ending)
    },
  }
}
