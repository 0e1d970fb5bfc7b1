import type { ErrorOutcome } from '@junctor/exchange'
import type { ErrorDetails, Situation } from '@junctor/protocol'
import { errorFor } from '../../shared/errors.ts'
import type { Call } from './call.ts'

/** The outcome of a failed call, in the form for its caller. */
export function failed(call: Call, situation: Situation, details?: ErrorDetails): ErrorOutcome {
  const { profile } = call.caller.tenant.tenant
  return { kind: 'error', error: errorFor(call.exchange.context, call.request.dialect, profile, situation, details) }
}
