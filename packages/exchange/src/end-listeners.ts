import type { EndListener, Exchange } from './exchange.ts'
import type { EndReason } from './outcome.ts'

/** Who is to be told of an end: nobody, one (nearly always), or several. */
export type EndListeners = EndListener | Set<EndListener> | undefined

/** Adds a listener, once. */
export function withListener(listeners: EndListeners, listener: EndListener): EndListeners {
  if (listeners === undefined || listeners === listener) return listener
  return listeners instanceof Set ? listeners.add(listener) : new Set([listeners, listener])
}

/**
 * Tells all of them; one that throws does not keep the others from hearing it.
 *
 * @param crashed hears what one of them threw; must not throw itself. Left out: nobody does
 */
export function tellEnd(
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
      // A backend's fault must not reach whoever ends the exchange: a transport, a timer, another client.
      crashed?.(error)
    }
  }
}
