import { isRepeatable, type StormTool } from './attempt.ts'
import type { AttemptOutcome } from './outcome.ts'

/** Reasons that mean that the request was refused before anything ran. */
const neverRan: ReadonlySet<string> = new Set(['session_unknown', 'session_missing'])

/** Reasons that mean that the call ran, or may have run. */
const mayHaveRun: ReadonlySet<string> = new Set([
  'backend_exited',
  'outcome_unknown',
  'deadline_exceeded',
  'client_gone',
])

/** Whether a client that wants its result sends the call again. */
export function mayRepeat(outcome: AttemptOutcome, tool: StormTool): boolean {
  switch (outcome.kind) {
    case 'result':
      return false
    case 'refused':
      return true
    case 'silent':
      // A silent call is a fault itself, and another one would take as long.
      return false
    case 'lost':
      return isRepeatable(tool)
    case 'error':
      if (outcome.retryable || neverRan.has(outcome.reason)) return true
      return mayHaveRun.has(outcome.reason) && isRepeatable(tool)
    default:
      return outcome satisfies never
  }
}
