import type { ExchangeEvent, View } from '@junctor/exchange'
import { wireError } from '@junctor/protocol'
import { reasonOf } from '../errors.ts'

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
  return { kind: 'outcome', outcome: { kind: 'error', error: wireError('backend_exited', view, { message }) } }
}
