import type { HttpFailure } from '@junctor/transport-http/back'

/** Statuses that are no answer to the question for an era: another caller, or the same a moment later, may get one. */
const otherStatuses: ReadonlySet<number> = new Set([401, 403, 408, 425, 429])

/** Whether a server may have refused a request because it does not speak the era of the request. */
export function mayRefuseEra(failure: HttpFailure): boolean {
  if (failure.kind !== 'refused') return false
  return failure.status >= 400 && failure.status < 500 && !otherStatuses.has(failure.status)
}
