import { payloadFromText } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { HomeSession } from '../../sessions/session/home-session.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Timed } from '../../shared/deadlines.ts'

/** Notifies backends that a client's roots have changed: immediately, and then at most once per interval. */
export interface RootsChanges {
  /** @param text the params of the notification as they came; empty: it has none */
  changed(session: HomeSession, text: string): void
}

/**
 * Regardless of how often a client reports changed roots, its backends are notified once in `gatherMs`. They request
 * the current roots then, so skipped notifications carry nothing new. The last notification is never skipped.
 */
export function createRootsChanges(
  gatherMs: number,
  clock: Clock,
  deliver: (session: HomeSession, text: string) => void,
): RootsChanges {
  /** The sessions that were reported in the current interval, each with its latest later notification, if any. */
  const waiting = new Map<HomeSession, string | undefined>()

  const deliverNow = (session: HomeSession, text: string): void => {
    waiting.set(session, undefined)
    clock.deadlines.add({
      deadline: clock.now() + gatherMs,
      expire() {
        const newest = waiting.get(session)
        waiting.delete(session)
        if (newest !== undefined && !session.ended) deliverNow(session, newest)
      },
    } satisfies Timed)
    deliver(session, text)
  }

  return {
    changed(session, text) {
      if (waiting.has(session)) waiting.set(session, text)
      else deliverNow(session, text)
    },
  }
}

/** Notifies the backends whose links belong to this session alone. On a shared link, the session would be unclear. */
export function notifyRootsChanged(session: HomeSession, text: string): void {
  const params = text === '' ? undefined : payloadFromText(text)
  for (const slot of session.slots()) {
    if (slot.scope.session === session.id) slot.link?.notify({ method: methods.notificationsRootsListChanged, params })
  }
}
