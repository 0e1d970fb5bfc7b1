import type { ExchangeEvent, View } from '@junctor/exchange'
import { type Situation, wireError } from '@junctor/protocol'
import { reasonOf } from '../shared/errors.ts'
import { isNodeLost } from '../jobs/job-again.ts'
import { askAgainMessage, waitsForJob } from '../jobs/waits-for-job.ts'

const message = 'The session ended before the request was answered: whether it took effect is unknown'

/**
 * An event as it is told on a stream that has begun. That a session is unknown means that nothing was done, and is said
 * with status 404; where the session ends with a request at work, that can neither be said any more nor be promised.
 */
export function streamedEvent(event: ExchangeEvent, view: View): ExchangeEvent {
  const isGone =
    (event.kind === 'end' && event.reason === 'session_ended') ||
    (event.kind === 'outcome' && reasonOf(event.outcome) === 'session_unknown')
  if (!isGone) return event
  return failed(view, 'backend_exited', message)
}

/**
 * An event as it is told to a request that only waits for a job: that its node, or its session, went away took no effect, and
 * it may ask again.
 */
export function awaitedEvent(event: ExchangeEvent, view: View): ExchangeEvent {
  if (!waitsForJob(view.method)) return event
  const isLeft =
    (event.kind === 'end' && event.reason === 'shutdown') || (event.kind === 'outcome' && isNodeLost(event.outcome))
  return isLeft ? failed(view, 'overloaded', askAgainMessage) : event
}

function failed(view: View, situation: Situation, said: string): ExchangeEvent {
  return { kind: 'outcome', outcome: { kind: 'error', error: wireError(situation, view, { message: said }) } }
}
