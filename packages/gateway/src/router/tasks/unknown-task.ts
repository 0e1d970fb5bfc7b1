import type { Outcome } from '@junctor/exchange'
import type { Call } from '../../upstream/calls/call.ts'
import { failed } from '../../upstream/calls/failed.ts'

/** The error for every task that the caller may not access, regardless of the reason. */
export function unknownTask(call: Call): Outcome {
  return failed(call, 'invalid_params', { message: "Unknown task: it never was, is forgotten, or is another caller's" })
}
