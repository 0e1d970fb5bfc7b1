import { keptOr } from '@junctor/primitives'
import type { Caller } from '../callers/caller.ts'
import type { AwaitedSubscription, LinkSlot } from '../links/link-slot.ts'

const none: ReadonlySet<string> = new Set()

/** The ids of the sessions that must be notified of an update of a resource. */
export function subscribersOf({ subscriptions, subscribing }: LinkSlot, uri: string): ReadonlySet<string> {
  const exact = union(subscriptions?.get(uri), sessionsOf(subscribing?.get(uri)))
  if (exact.size > 0) return exact
  let found = none
  for (const [whole, sessions] of subscriptions ?? []) if (isPartOf(uri, whole)) found = union(found, sessions)
  for (const [whole, awaited] of subscribing ?? []) if (isPartOf(uri, whole)) found = union(found, sessionsOf(awaited))
  return found
}

function sessionsOf(awaited: Iterable<AwaitedSubscription> = []): ReadonlySet<string> {
  return new Set(Array.from(awaited).flatMap(({ session, isWithdrawn }) => (isWithdrawn ? [] : [session])))
}

/** Most resources have one subscriber or the same ones: then nothing is copied. */
function union(some: ReadonlySet<string> = none, others: ReadonlySet<string> = none): ReadonlySet<string> {
  if (others.size === 0) return some
  return some.size === 0 ? others : new Set([...some, ...others])
}

/**
 * Notifies the caller of updates while its subscription is not answered yet: the first one may come with the answer. This
 * ends with `endAwaiting`, or when the caller withdraws the subscription.
 */
export function awaitSubscription(slot: LinkSlot, uri: string, session: string): AwaitedSubscription {
  const awaited: AwaitedSubscription = { session, isWithdrawn: false }
  const uris = (slot.subscribing ??= new Map<string, Set<AwaitedSubscription>>())
  uris.set(uri, (uris.get(uri) ?? new Set<AwaitedSubscription>()).add(awaited))
  return awaited
}

/** Called when the backend has answered. */
export function endAwaiting({ subscribing }: LinkSlot, uri: string, awaited: AwaitedSubscription): void {
  const all = subscribing?.get(uri)
  all?.delete(awaited)
  if (all?.size === 0) subscribing?.delete(uri)
}

/** Withdraws the subscriptions of the caller to a resource that the backend has not answered yet. */
export function withdrawSubscriptions({ subscribing }: LinkSlot, uri: string, { id }: Pick<Caller, 'id'>): void {
  for (const awaited of subscribing?.get(uri) ?? []) awaited.isWithdrawn ||= awaited.session === id
}

/** Whether a session wants updates of a resource, also one whose subscription is not answered yet. */
export function isWanted({ subscriptions, subscribing }: LinkSlot, uri: string): boolean {
  return subscriptions?.has(uri) === true || sessionsOf(subscribing?.get(uri)).size > 0
}

/** Whether the caller is among the subscribers of a resource. */
export function isSubscriber(sessions: ReadonlySet<string> | undefined, { id }: Pick<Caller, 'id'>): boolean {
  return id !== undefined && sessions?.has(id) === true
}

/** Adds the caller to the subscribers of a resource. */
export function addSubscriber(slot: LinkSlot, uri: string, caller: Caller): void {
  const uris = (slot.subscriptions ??= new Map<string, Set<string>>())
  const sessions = keptOr(uris, uri, () => new Set())
  // Without a session there is no stream for updates.
  if (caller.id === undefined || sessions.has(caller.id)) return
  sessions.add(caller.id)
  caller.subscriptions += 1
}

/**
 * Removes the caller from the subscribers of a resource. Returns true when it was the last: the backend can be
 * unsubscribed.
 */
export function removeSubscriber(slot: LinkSlot, uri: string, caller: Caller): boolean {
  const sessions = slot.subscriptions?.get(uri)
  if (sessions === undefined || caller.id === undefined || !sessions.delete(caller.id)) return false
  caller.subscriptions -= 1
  if (sessions.size > 0) return false
  slot.subscriptions?.delete(uri)
  return true
}

/**
 * An update may name a part of a subscribed resource (Resources, "Subscriptions"), such as a file in a folder. A URI
 * that only has the same beginning is another resource, perhaps of another session.
 */
export function isPartOf(uri: string, whole: string): boolean {
  return uri.startsWith(whole) && (whole.endsWith('/') || '/?#'.includes(uri.charAt(whole.length)))
}
