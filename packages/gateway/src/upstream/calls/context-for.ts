import type { CallContext } from '@junctor/exchange'
import type { BackendEntry } from '../../shared/backend-entry.ts'

/** The context of a request as a backend gets it: the caller's token is for backends that take it. */
export function contextFor(context: CallContext, { backend }: BackendEntry): CallContext {
  if (context.callerToken === undefined || backend.takesCallerToken === true) return context
  const { callerToken: _token, ...rest } = context
  return rest
}
