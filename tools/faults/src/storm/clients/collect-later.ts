import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { isFinalState } from '../ledger/final-states.ts'
import { errorOutcome, type Outcome } from '../ledger/outcome.ts'
import { laterPatienceMs } from './storm-client.ts'

const pollMs = 250

/** How a call is asked for that was promised for later. Each may reject: then it is asked again. */
export interface LaterCall {
  /** A response whose result has the state as its `status`. */
  state(): Promise<JsonObject>
  /** Whether an error says that nobody knows of the call. */
  isUnknown(error: unknown): boolean
  /** Undefined: this is not what the call came to. */
  outcome(): Promise<Outcome | undefined>
}

/**
 * Asks until a call is over, whatever happens to those who are asked, and gives what it came to. Never rejects.
 *
 * @param name what it is called where it never came
 */
export async function collectLater(name: string, call: LaterCall): Promise<Outcome> {
  const deadline = performance.now() + laterPatienceMs
  let last: unknown
  while (performance.now() < deadline) {
    // oxlint-disable no-await-in-loop
    try {
      const { result, error } = await call.state()
      // Those who know nothing of what was promised will not know more of it later.
      if (error !== undefined && call.isUnknown(error)) return errorOutcome(error)
      last = error ?? (result as JsonObject)['status']
      const outcome = isFinalState(last) ? await call.outcome() : undefined
      if (outcome !== undefined) return outcome
    } catch (error) {
      last = String(error)
    }
    await after(pollMs)
    // oxlint-enable no-await-in-loop
  }
  return { kind: 'silent', what: `${name}: ${JSON.stringify(last)}` }
}
