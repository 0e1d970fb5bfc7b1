import type { Log, Emit } from '@junctor/contracts'

/**
 * Creates an `Emit` that passes events to several listeners, in their order. A listener that throws affects neither the
 * other listeners nor the caller; the first error of each listener is logged.
 */
export function emitToAll(listeners: readonly Emit[], log: Pick<Log, 'error'>): Emit {
  const failed = new Set<Emit>()
  return (event) => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        if (failed.has(listener)) continue
        failed.add(listener)
        log.error('a listener to events failed; further failures of it are not logged', { event: event.kind, error })
      }
    }
  }
}
