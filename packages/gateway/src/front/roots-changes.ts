import { payloadFromText } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { HomeSession } from '../sessions/home-session.ts'
import type { Clock } from '../shared/clock.ts'
import type { Timed } from '../shared/timetable.ts'

/** Tells backends that a client's roots have changed: at once, and then at most once in a while. */
export interface RootsChanges {
  /** @param text the notification's params as they came; empty for none */
  changed(session: HomeSession, text: string): void
}

/**
 * However often a client says that its roots have changed, its backends hear of it once in `gatherMs`: they ask for the
 * roots as they are then, so what is left out says nothing more. The last one is never left out.
 */
export function createRootsChanges(
  gatherMs: number,
  clock: Clock,
  deliver: (session: HomeSession, text: string) => void,
): RootsChanges {
  /** By session that was told of a short while ago: the newest that came since then. */
  const waiting = new Map<HomeSession, string | undefined>()

  const tell = (session: HomeSession, text: string): void => {
    waiting.set(session, undefined)
    clock.timetable.add({
      deadline: clock.now() + gatherMs,
      expire() {
        const newest = waiting.get(session)
        waiting.delete(session)
        if (newest !== undefined && !session.ended) tell(session, newest)
      },
    } satisfies Timed)
    deliver(session, text)
  }

  return {
    changed(session, text) {
      if (waiting.has(session)) waiting.set(session, text)
      else tell(session, text)
    },
  }
}

/** Tells the backends whose links are this session's alone: on others it could be about anybody. */
export function tellRootsChanged(session: HomeSession, text: string): void {
  const params = text === '' ? undefined : payloadFromText(text)
  for (const slot of session.slots()) {
    if (slot.scope.session === session.id) slot.link?.notify({ method: methods.notificationsRootsListChanged, params })
  }
}
