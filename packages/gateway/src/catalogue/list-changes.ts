import type { ListKind } from '@junctor/exchange'
import { methods } from '@junctor/protocol'
import type { BackendEntry } from '../backend-entry.ts'
import type { HomeSession } from '../sessions/home-session.ts'
import type { Clock } from '../clock.ts'
import type { Timed } from '../timetable.ts'

/** Tells sessions that lists have changed: once for all changes of a short while. */
export interface ListChanges {
  /** A list of the backend changed, for one session or for all that see the backend. */
  changed(entry: BackendEntry, kind: ListKind, session: string | undefined): void
}

const notifications: Readonly<Record<ListKind, string>> = {
  tools: methods.notificationsToolsListChanged,
  resources: methods.notificationsResourcesListChanged,
  resourceTemplates: methods.notificationsResourcesListChanged,
  prompts: methods.notificationsPromptsListChanged,
}

export function createListChanges(sessions: () => Iterable<HomeSession>, gatherMs: number, clock: Clock): ListChanges {
  interface Change {
    readonly entry: BackendEntry
    readonly method: string
    readonly session: string | undefined
  }
  let changes: Change[] = []

  const tell = (): void => {
    const gathered = changes
    changes = []
    for (const session of sessions()) {
      const seen = gathered.filter(
        (change) =>
          session.tenant.backends.includes(change.entry) &&
          (change.session === undefined || change.session === session.id),
      )
      for (const method of new Set(seen.map((change) => change.method))) session.notify({ method, params: undefined })
    }
  }

  return {
    changed(entry, kind, session) {
      const method = notifications[kind]
      if (changes.length === 0) clock.timetable.add({ deadline: clock.now() + gatherMs, expire: tell } satisfies Timed)
      if (changes.some((change) => change.entry === entry && change.method === method && change.session === session)) {
        return
      }
      changes.push({ entry, method, session })
    },
  }
}
