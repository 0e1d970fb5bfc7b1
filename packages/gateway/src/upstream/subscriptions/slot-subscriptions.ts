import type { Caller } from '../callers/caller.ts'
import type { LinkSlot } from '../links/link-slot.ts'

/** The ids of the sessions to tell that a resource of the slot's backend was updated. */
export function subscribersOf(slot: LinkSlot, uri: string): readonly string[] {
  const exact = slot.subscriptions?.get(uri)
  if (exact !== undefined) return [...exact]
  const found = new Set<string>()
  for (const [subscribed, sessions] of slot.subscriptions ?? []) {
    if (isPartOf(uri, subscribed)) for (const session of sessions) found.add(session)
  }
  return [...found]
}

/** Whether the caller is among the subscribers of a resource. */
export function isSubscriber(sessions: ReadonlySet<string> | undefined, { id }: Pick<Caller, 'id'>): boolean {
  return id !== undefined && sessions?.has(id) === true
}

/** Puts the caller on a resource. */
export function addSubscriber(slot: LinkSlot, uri: string, caller: Caller): void {
  const uris = (slot.subscriptions ??= new Map<string, Set<string>>())
  const sessions = uris.get(uri) ?? new Set<string>()
  uris.set(uri, sessions)
  // Without a session there is no stream to hear of updates on.
  if (caller.id === undefined || sessions.has(caller.id)) return
  sessions.add(caller.id)
  caller.subscriptions += 1
}

/** Takes the caller off a resource; true when it was the last, so that the upstream need not tell any more. */
export function removeSubscriber(slot: LinkSlot, uri: string, caller: Caller): boolean {
  const sessions = slot.subscriptions?.get(uri)
  if (sessions === undefined || caller.id === undefined || !sessions.delete(caller.id)) return false
  caller.subscriptions -= 1
  if (sessions.size > 0) return false
  slot.subscriptions?.delete(uri)
  return true
}

/**
 * An update may name a part of what was subscribed (Resources, "Subscriptions"), such as a file in a folder; what merely
 * starts alike is another resource, perhaps another session's.
 */
function isPartOf(uri: string, whole: string): boolean {
  return uri.startsWith(whole) && (whole.endsWith('/') || '/?#'.includes(uri.charAt(whole.length)))
}
