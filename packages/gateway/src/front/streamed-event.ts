import type { ExchangeEvent, Outcome, View } from '@junctor/exchange'
import { methods, type Situation, wireError } from '@junctor/protocol'
import { errorData, reasonOf } from '../shared/errors.ts'
import { sessionEndedMessage } from '../shared/session-ended-message.ts'
import { isNodeLost } from '../jobs/record/job-retry.ts'
import { askAgainMessage } from '../jobs/record/waits-for-job.ts'

/** The methods of MCP that may run twice, so that a client can start over. Any other method may have an effect. */
const repeatable: ReadonlySet<string> = new Set(Object.values(methods).filter((method) => method !== methods.toolsCall))

/**
 * An event as it is shown on a stream that has started. The error for an unknown session says that nothing was done,
 * and needs status 404. When the session ends during the request, neither is possible any more.
 */
export function streamedEvent(event: ExchangeEvent, view: View): ExchangeEvent {
  const isGone =
    (event.kind === 'end' && event.reason === 'session_ended') ||
    (event.kind === 'outcome' && reasonOf(event.outcome) === 'session_unknown')
  if (!isGone) return event
  return failed(view, 'backend_exited', sessionEndedMessage)
}

/**
 * An event as it is shown to a client whose request was lost with its node, or with its session: it may have taken effect,
 * so it must not look as if nothing was done. When the request may run twice, or only waits for a job, its client may start
 * over, or send it again.
 */
export function lostEvent(event: ExchangeEvent, view: View, onlyWaits: boolean): ExchangeEvent {
  const isOver = event.kind === 'end' && event.reason === 'session_ended'
  if (isOver && !onlyWaits && !repeatable.has(view.method)) return failed(view, 'backend_exited', sessionEndedMessage)
  const isLeft = event.kind === 'end' && event.reason === 'shutdown'
  const isLost = event.kind === 'outcome' && (onlyWaits ? isNodeLost(event.outcome) : isCutOff(event.outcome))
  if (!isLeft && !isLost) return event
  return onlyWaits ? failed(view, 'overloaded', askAgainMessage) : failed(view, 'outcome_unknown')
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
