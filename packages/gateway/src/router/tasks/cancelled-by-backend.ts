import type { ErrorOutcome } from '@junctor/exchange'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Call } from '../../upstream/calls/call.ts'
import { failed } from '../../upstream/calls/failed.ts'

/** The outcome of a call whose backend has cancelled the task that it had started for it. */
export function cancelledByBackend(call: Call, { backend }: BackendEntry): ErrorOutcome {
  return failed(call, 'cancelled', { backend: backend.name, message: 'The server has cancelled the task' })
}
