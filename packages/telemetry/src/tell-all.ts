import type { Log, Tell } from '@junctor/contracts'

/**
 * Creates a `Tell` that passes facts to several listeners, in their order. A listener that throws affects neither the
 * other listeners nor the caller; the first error of each listener is logged.
 */
export function tellAll(listeners: readonly Tell[], log: Pick<Log, 'error'>): Tell {
  const failed = new Set<Tell>()
  return (fact) => {
    for (const listener of listeners) {
      try {
        listener(fact)
      } catch (error) {
        if (failed.has(listener)) continue
        failed.add(listener)
        log.error('a listener to facts failed; further failures of it are not logged', { fact: fact.kind, error })
      }
    }
  }
}
