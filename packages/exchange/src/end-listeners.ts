import type { EndListener, Exchange } from './exchange.ts'
import type { EndReason } from './outcome.ts'

/** The listeners of an end: none, one (in nearly all cases), or several. */
export type EndListeners = EndListener | Set<EndListener> | undefined

/** Adds a listener, once. */
export function withListener(listeners: EndListeners, listener: EndListener): EndListeners {
  if (listeners === undefined || listeners === listener) return listener
  return listeners instanceof Set ? listeners.add(listener) : new Set([listeners, listener])
}

/**
 * Calls all listeners. One that throws does not prevent the calls of the others.
 *
 * @param crashed called with the error of a listener; must not throw itself. Absent: such errors are dropped
 */
export function notifyEnd(
  listeners: EndListeners,
  reason: EndReason,
  exchange: Exchange,
  crashed?: (error: unknown) => void,
): void {
  if (listeners === undefined) return
  for (const listener of listeners instanceof Set ? listeners : [listeners]) {
    try {
      listener.ended(reason, exchange)
    } catch (error) {
      // A fault of a backend must not reach the caller, which may be a transport, a timer or another client.
      crashed?.(error)
    }
  }
}
