import type { ListKind, Scope } from '@junctor/contracts'
import { methods } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Caller } from './caller.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Timed } from '../../shared/timetable.ts'

/** Tells sessions that lists have changed: once for all changes of a short while. */
export interface ListChanges {
  /** A list of the backend changed, for those whom the scope is for; without one for all that see the backend. */
  changed(entry: BackendEntry, kind: ListKind, scope: Scope | undefined): void
}

const notifications: Readonly<Record<ListKind, string>> = {
  tools: methods.notificationsToolsListChanged,
  resources: methods.notificationsResourcesListChanged,
  resourceTemplates: methods.notificationsResourcesListChanged,
  prompts: methods.notificationsPromptsListChanged,
}

export function createListChanges(sessions: () => Iterable<Caller>, gatherMs: number, clock: Clock): ListChanges {
  interface Change {
    readonly entry: BackendEntry
    readonly method: string
    readonly scope: Scope | undefined
  }
  let changes: Change[] = []

  const tell = (): void => {
    const gathered = changes
    changes = []
    for (const session of sessions()) {
      if (!session.tenant.tenant.profile.announcesLists) continue
      const seen = gathered.filter(
        (change) => session.tenant.backends.includes(change.entry) && concerns(change.scope, session),
      )
      for (const method of new Set(seen.map((change) => change.method))) session.notify({ method, params: undefined })
    }
  }

  return {
    changed(entry, kind, scope) {
      const method = notifications[kind]
      if (changes.length === 0) clock.timetable.add({ deadline: clock.now() + gatherMs, expire: tell } satisfies Timed)
      if (
        changes.some((change) => change.entry === entry && change.method === method && change.scope?.key === scope?.key)
      ) {
        return
      }
      changes.push({ entry, method, scope })
    },
  }
}

/** A link speaks for its session, or for a principal without one, or for its tenant, or for all. */
function concerns(scope: Scope | undefined, session: Caller): boolean {
  if (scope === undefined) return true
  if (scope.principal !== undefined) return scope.session === session.id
  return scope.tenant === '' || scope.tenant === session.context.tenant
}
