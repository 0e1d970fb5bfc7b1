import type { Emit } from '@junctor/contracts'
import { auditEntry } from './audit-entry.ts'

/** The maximum number of lines for refused callers per minute, because any client can cause them. */
const refusalsOfMinute = 100

/**
 * Creates the audit: one line of JSON for each session, refused caller and tool call. It is independent of the other
 * logs. At most a hundred refused callers are recorded per minute; the next such line has the number of omitted ones,
 * as `suppressed`.
 *
 * @param write receives a line, without its end; never waits
 */
export function createAudit(write: (line: string) => void): Emit {
  let minute = 0
  let refusals = 0
  let suppressed = 0
  const isSuppressed = (): boolean => {
    const current = Math.floor(Date.now() / 60_000)
    if (current !== minute) {
      minute = current
      refusals = 0
    }
    refusals += 1
    if (refusals <= refusalsOfMinute) return false
    suppressed += 1
    return true
  }
  return (event) => {
    const entry = auditEntry(event)
    if (entry === undefined || (event.kind === 'access_refused' && isSuppressed())) return
    const omitted = suppressed > 0 && event.kind === 'access_refused' ? { suppressed } : {}
    if (event.kind === 'access_refused') suppressed = 0
    write(JSON.stringify({ time: new Date().toISOString(), ...entry, ...omitted }))
  }
}
