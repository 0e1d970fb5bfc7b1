import type { Tell } from '@junctor/contracts'
import { auditEntry } from './audit-entry.ts'

/** Lines of callers that were not let in, in a minute: anybody can cause them. */
const refusalsOfMinute = 100

/**
 * Keeps who did what, whatever else is kept: one line of JSON for each session, refused caller and call of a tool.
 * Of refused callers at most a hundred in a minute; the next such line says how many were left out before it, as
 * `suppressed`.
 *
 * @param write takes a line, without its end; never waits
 * @param now epoch milliseconds
 */
export function createAudit(write: (line: string) => void, now: () => number = Date.now): Tell {
  let minute = 0
  let refusals = 0
  let suppressed = 0
  const isSuppressed = (): boolean => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) {
      minute = current
      refusals = 0
    }
    refusals += 1
    if (refusals <= refusalsOfMinute) return false
    suppressed += 1
    return true
  }
  return (fact) => {
    const entry = auditEntry(fact)
    if (entry === undefined || (fact.kind === 'access_refused' && isSuppressed())) return
    const told = suppressed > 0 && fact.kind === 'access_refused' ? { suppressed } : {}
    if (fact.kind === 'access_refused') suppressed = 0
    write(JSON.stringify({ time: new Date(now()).toISOString(), ...entry, ...told }))
  }
}
