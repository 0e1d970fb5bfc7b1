import type { CallContext, ErrorOutcome } from '@junctor/exchange'
import { errorOutcome } from './errors.ts'

/** For a `requestState` that is forged, of another caller, request or backend, too old, or used already. */
export function unknownState(context: CallContext): ErrorOutcome {
  const message =
    '"requestState" does not belong to this request, or is not valid any more: send the request without it'
  return errorOutcome(context, 'invalid_params', message)
}
