import type { Log } from '@junctor/contracts'

/** Logs the names that more than one backend offers. */
export function reportCollisions(log: Log, collisions: readonly object[]): void {
  for (const collision of collisions) {
    log.warn('two backends offer the same name: both are refused', { ...collision })
  }
}
