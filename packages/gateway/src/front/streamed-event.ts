import type { ExchangeEvent, View } from '@junctor/exchange'
import { type Situation, wireError } from '@junctor/protocol'
import { reasonOf } from '../shared/errors.ts'
import { sessionEndedMessage } from '../shared/session-ended-message.ts'
import { isNodeLost } from '../jobs/record/job-retry.ts'
import { askAgainMessage, waitsForJob } from '../jobs/record/waits-for-job.ts'

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
 * An event as it is shown to a request that only waits for a job. The loss of its node or session changed nothing, so
 * the client may send the request again.
 */
export function awaitedEvent(event: ExchangeEvent, view: View): ExchangeEvent {
  if (!waitsForJob(view.method)) return event
  const isLeft =
    (event.kind === 'end' && event.reason === 'shutdown') || (event.kind === 'outcome' && isNodeLost(event.outcome))
  return isLeft ? failed(view, 'overloaded', askAgainMessage) : event
}

function failed(view: View, situation: Situation, text: string): ExchangeEvent {
  return { kind: 'outcome', outcome: { kind: 'error', error: wireError(situation, view, { message: text }) } }
}
