import type { ListKind, Scope } from '@junctor/contracts'
import { listChanged } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Caller } from './caller.ts'
import type { HomeCallers } from './home-callers.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Timed } from '../../shared/deadlines.ts'

/** Notifies callers of changed lists: once for all changes within a short interval. */
export interface ListChanges {
  /**
   * Lists of the backend have changed, for the callers of the scope; without a scope, for all callers that see the
   * backend.
   */
  changed(entry: BackendEntry, kinds: readonly ListKind[], scope?: Scope): void
}

const notifications: Readonly<Record<ListKind, string>> = {
  ...listChanged,
  resourceTemplates: listChanged.resources,
}

/** A change of lists, with the notification for it. */
interface Change {
  readonly entry: BackendEntry
  readonly method: string
  readonly scope: Scope | undefined
}

/** @param gatherMs how long changes are collected before callers are notified, in milliseconds */
export function createListChanges(callers: Pick<HomeCallers, 'homes'>, gatherMs: number, clock: Clock): ListChanges {
  let changes: Change[] = []

  const notifyCallers = (): void => {
    const gathered = changes
    changes = []
    for (const caller of callers.homes()) {
      if (!caller.tenant.tenant.profile.announcesLists) continue
      const seen = gathered.filter(
        (change) => caller.tenant.backends.includes(change.entry) && concerns(change.scope, caller),
      )
      for (const method of new Set(seen.map((change) => change.method))) caller.notify({ method, params: undefined })
    }
  }

  const add = (change: Change): void => {
    if (changes.length === 0) {
      clock.deadlines.add({ deadline: clock.now() + gatherMs, expire: notifyCallers } satisfies Timed)
    }
    if (!changes.some((known) => isSame(known, change))) changes.push(change)
  }

  return {
    changed(entry, kinds, scope) {
      for (const kind of kinds) add({ entry, method: notifications[kind], scope })
    },
  }
}

function isSame(one: Change, other: Change): boolean {
  return one.entry === other.entry && one.method === other.method && one.scope?.key === other.scope?.key
}

/**
 * Whether a link's messages concern a caller. A link belongs to a session, a principal without a session, a tenant, or
 * to all.
 */
function concerns(scope: Scope | undefined, caller: Caller): boolean {
  if (scope === undefined) return true
  if (scope.principal !== undefined) {
    const { principal, session, tenant } = caller.context
    if (session !== undefined) return scope.session === session
    return scope.principal === principal.key && scope.tenant === tenant
  }
  return scope.tenant === '' || scope.tenant === caller.context.tenant
}
