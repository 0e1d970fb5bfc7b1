import type { Outcome } from '@junctor/exchange'
import { downgradeResult } from '@junctor/protocol'
import type { BackendEntry } from '../backend-entry.ts'
import { mapResult } from '../mapping/map-result.ts'
import type { Call } from './call.ts'

/** A backend's outcome in public names, and in what the caller's revision can carry. */
export function mapOutcome(call: Call, entry: BackendEntry, outcome: Outcome): Outcome {
  if (outcome.kind !== 'complete') return outcome
  const { method } = call.request
  const mapped = mapResult(method, entry.prefix, outcome.result)
  const result = downgradeResult(method, mapped, call.exchange.context.revision)
  return result === outcome.result ? outcome : { kind: 'complete', result }
}
