import type { EndReason, ErrorOutcome, ExchangeEvent, View } from '@junctor/exchange'
import { methods, type Situation, wireError } from '@junctor/protocol'
import { errorData, reasonOf } from '../../shared/errors.ts'
import { sessionEndedMessage } from '../../shared/session-ended-message.ts'
import { isNodeLost } from '../../jobs/record/job-retry.ts'
import { askAgainMessage, asksAboutJob } from '../../jobs/record/waits-for-job.ts'

/** The methods of MCP that may run twice, so that a client can start over. Any other method may have an effect. */
const repeatable: ReadonlySet<string> = new Set(Object.values(methods).filter((method) => method !== methods.toolsCall))

/**
 * An event as the client of a request sees it. A request that was lost with its node or its session may have taken effect,
 * so it must not look as if nothing was done; the error for an unknown session says that, and needs status 404, which a
 * response that has begun can no longer have. When the request may run twice, or only asks about a job, its client may
 * start over, or send it again.
 *
 * @param hasSpoken whether its response has begun: its status is sent, and its client may have seen a part of it
 */
export function shownEvent(event: ExchangeEvent, view: View, hasSpoken: boolean): ExchangeEvent {
  if (event.kind === 'end') return isClear(event.reason, view, hasSpoken) ? event : lost(view, event.reason)
  const outcome = event.kind === 'outcome' ? event.outcome : undefined
  if (outcome?.kind !== 'error') return event
  if (hasSpoken && reasonOf(outcome) === 'session_unknown') return lost(view, 'session_ended')
  const isLost = asksAboutJob(view.method) ? isNodeLost(outcome) : isCutOff(outcome)
  return isLost ? lost(view, 'shutdown') : event
}

/** Whether a client that is shown the end as it is knows what became of its request. */
function isClear(reason: EndReason, view: View, hasSpoken: boolean): boolean {
  if (reason !== 'session_ended') return reason !== 'shutdown'
  return !hasSpoken && (asksAboutJob(view.method) || repeatable.has(view.method))
}

/** The error for a request that was lost with its session, or with its node. */
function lost(view: View, reason: EndReason): ExchangeEvent {
  if (asksAboutJob(view.method)) return failed(view, 'overloaded', askAgainMessage)
  return reason === 'session_ended'
    ? failed(view, 'backend_exited', sessionEndedMessage)
    : failed(view, 'outcome_unknown')
}

/** Whether the node of the request was lost while it was running, and not a backend, or a node behind it. */
function isCutOff(outcome: ErrorOutcome): boolean {
  return outcome.loss === 'cut' && isNodeLost(outcome) && errorData(outcome)['backend'] === undefined
}

function failed(view: View, situation: Situation, message?: string): ExchangeEvent {
  const details = message === undefined ? {} : { message }
  return { kind: 'outcome', outcome: { kind: 'error', error: wireError(situation, view, details) } }
}
