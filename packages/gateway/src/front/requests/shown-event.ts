import type { ExchangeEvent, Outcome, View } from '@junctor/exchange'
import { methods, type Situation, wireError } from '@junctor/protocol'
import { errorData, reasonOf } from '../../shared/errors.ts'
import { sessionEndedMessage } from '../../shared/session-ended-message.ts'
import { isNodeLost } from '../../jobs/record/job-retry.ts'
import { askAgainMessage } from '../../jobs/record/waits-for-job.ts'

/** The methods of MCP that may run twice, so that a client can start over. Any other method may have an effect. */
const repeatable: ReadonlySet<string> = new Set(Object.values(methods).filter((method) => method !== methods.toolsCall))

/** What decides how the end of a request is shown. */
export interface ShownRequest {
  readonly view: View
  /** Whether its response has begun: its status is sent, and its client may have seen a part of it. */
  readonly hasSpoken: boolean
  /** Whether it only waits for a job. */
  readonly onlyWaits: boolean
}

/**
 * An event as the client of a request sees it. A request that was lost with its node or its session may have taken effect,
 * so it must not look as if nothing was done; the error for an unknown session says that, and needs status 404, which a
 * response that has begun can no longer have. When the request may run twice, or only waits for a job, its client may
 * start over, or send it again.
 */
export function shownEvent(event: ExchangeEvent, request: ShownRequest): ExchangeEvent {
  const { view, onlyWaits } = request
  const hasNoSession = hidesLostSession(event, request)
  const isLeft = event.kind === 'end' && event.reason === 'shutdown'
  const isLost = event.kind === 'outcome' && (onlyWaits ? isNodeLost(event.outcome) : isCutOff(event.outcome))
  if (!hasNoSession && !isLeft && !isLost) return event
  if (onlyWaits) return failed(view, 'overloaded', askAgainMessage)
  return hasNoSession ? failed(view, 'backend_exited', sessionEndedMessage) : failed(view, 'outcome_unknown')
}

/** Whether the event says that the session is gone, in a way that would claim that nothing was done. */
function hidesLostSession(event: ExchangeEvent, { view, hasSpoken, onlyWaits }: ShownRequest): boolean {
  if (event.kind === 'outcome') return hasSpoken && reasonOf(event.outcome) === 'session_unknown'
  const isOver = event.kind === 'end' && event.reason === 'session_ended'
  return isOver && (hasSpoken || (!onlyWaits && !repeatable.has(view.method)))
}

/** Whether the node of the request was lost while it was running, and not a backend, or a node behind it. */
function isCutOff(outcome: Outcome): boolean {
  return (
    outcome.kind === 'error' &&
    outcome.loss === 'cut' &&
    isNodeLost(outcome) &&
    errorData(outcome)['backend'] === undefined
  )
}

function failed(view: View, situation: Situation, message?: string): ExchangeEvent {
  const details = message === undefined ? {} : { message }
  return { kind: 'outcome', outcome: { kind: 'error', error: wireError(situation, view, details) } }
}
