import type { CallContext, Outcome } from '@junctor/exchange'
import { backendError } from './errors.ts'

/** For a `requestState` that is forged, of another caller, request or backend, too old, or used already. */
export function unknownState(context: CallContext): Extract<Outcome, { kind: 'error' }> {
  const message =
    '"requestState" does not belong to this request, or is not valid any more: send the request without it'
  return { kind: 'error', error: backendError(context, 'invalid_params', message) }
}
