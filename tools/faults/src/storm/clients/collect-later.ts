import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { isFinalState } from '../ledger/final-states.ts'
import { errorOutcome, type AttemptOutcome } from '../ledger/outcome.ts'
import { collectTimeoutMs } from './storm-client.ts'

const pollMs = 250

/** The requests for a call with a later answer. Each may reject: then it is repeated. */
export interface LaterCall {
  /** A response whose result has the state as its `status`. */
  state(): Promise<JsonObject>
  /** Whether an error means that the call is unknown. */
  isUnknown(error: unknown): boolean
  /** Undefined when the response is not the outcome of the call. */
  outcome(): Promise<AttemptOutcome | undefined>
}

/**
 * Asks until a call is over, even when gateways are restarted, and returns its outcome. Never rejects.
 *
 * @param name of the call, for the outcome when it never ends
 */
export async function collectLater(name: string, call: LaterCall): Promise<AttemptOutcome> {
  const deadline = performance.now() + collectTimeoutMs
  let last: unknown
  while (performance.now() < deadline) {
    // oxlint-disable no-await-in-loop
    try {
      const { result, error } = await call.state()
      // A gateway that does not know the call will not know it later.
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
