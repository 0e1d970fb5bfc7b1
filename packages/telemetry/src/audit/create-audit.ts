import type { Tell } from '@junctor/exchange'
import { auditEntry } from './audit-entry.ts'

/**
 * Keeps who did what, whatever else is kept: one line of JSON for each session, refused caller and call of a tool.
 *
 * @param write takes a line, without its end; never waits
 * @param now epoch milliseconds
 */
export function createAudit(write: (line: string) => void, now: () => number = Date.now): Tell {
  return (fact) => {
    const entry = auditEntry(fact)
    if (entry !== undefined) write(JSON.stringify({ time: new Date(now()).toISOString(), ...entry }))
  }
}
