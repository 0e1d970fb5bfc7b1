import type { Log } from '@junctor/plugin-sdk/link'
import { createLogBudget } from '@junctor/transport-stdio/back'

/**
 * A log whose warnings are limited: clients decide how many calls of a server fail, and each is a warning. The next line says how
 * many were left out.
 *
 * @param now milliseconds, from any start
 */
export function pacedWarnings(log: Log, now: () => number): Log {
  const budget = createLogBudget(now)
  return {
    ...log,
    warn(message, fields) {
      const suppressed = budget.spend()
      if (suppressed !== undefined) log.warn(message, { ...fields, ...suppressed })
    },
  }
}
