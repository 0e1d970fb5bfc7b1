import type { EndReason, Outcome } from '@junctor/exchange'
import type { ErrorOrigin, RequestOutcome } from '@junctor/contracts'
import { knownValue, mayHave, memberOf, type WireError } from '@junctor/jsonrpc'
import { catalogue, methods, type Situation } from '@junctor/protocol'

/** How a request ended, as events report it. */
export interface ReportedOutcome {
  readonly outcome: RequestOutcome
  /** The code of an error. */
  readonly code: number | undefined
  readonly origin: ErrorOrigin | undefined
  /** `data.reason` of an error of the gateway itself. */
  readonly reason: string | undefined
}

const success: ReportedOutcome = { outcome: 'success', code: undefined, origin: undefined, reason: undefined }
const toolError: ReportedOutcome = { outcome: 'tool_error', code: undefined, origin: 'backend', reason: undefined }

/** The origin of errors that the client did not cause. */
const origins: Readonly<Partial<Record<Situation, ErrorOrigin>>> = {
  backend_unavailable: 'backend',
  backend_exited: 'backend',
  deadline_exceeded: 'backend',
  tool_failed: 'backend',
  internal_error: 'gateway',
  overloaded: 'gateway',
  fabric_unavailable: 'gateway',
}

/**
 * How a request ended, for its event.
 *
 * @param ended why it was ended from outside, if it was
 * @param reachedBackend whether it went to a backend: then an error without a known reason is the backend's
 */
export function requestOutcome(
  method: string,
  outcome: Outcome,
  ended: EndReason | undefined,
  reachedBackend: boolean,
): ReportedOutcome {
  if (ended !== undefined) return { ...success, outcome: endOutcomes[ended] ?? 'ended' }
  if (outcome.kind === 'error') return reportedError(outcome.error, reachedBackend)
  if (outcome.kind !== 'complete' || method !== methods.toolsCall) return success
  const result = knownValue(outcome.result) ?? (mayHave(outcome.result, 'isError') ? outcome.result.value() : undefined)
  return memberOf(result, 'isError') === true ? toolError : success
}

const endOutcomes: Readonly<Partial<Record<EndReason, RequestOutcome>>> = {
  cancelled: 'cancelled',
  disconnected: 'cancelled',
  deadline: 'deadline',
}

function reportedError({ code, data }: WireError, reachedBackend: boolean): ReportedOutcome {
  const named = memberOf(data?.value(), 'reason')
  // A backend may use any reasons of its own.
  if (typeof named !== 'string' || !Object.hasOwn(catalogue, named)) {
    return { outcome: 'error', code, origin: reachedBackend ? 'backend' : 'client', reason: undefined }
  }
  const reason = named as Situation
  const outcome = reason === 'deadline_exceeded' ? 'deadline' : 'error'
  return { outcome, code, origin: origins[reason] ?? 'client', reason }
}

/** Who caused a refused request. */
export function refusalOrigin(situation: Situation): ErrorOrigin {
  return origins[situation] ?? 'client'
}
