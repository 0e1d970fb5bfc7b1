import type { Link } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { edit } from '@junctor/jsonrpc'
import { hasOriginal } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { emptyOutcome } from '../../shared/empty-outcome.ts'
import type { Caller } from '../callers/caller.ts'
import type { BackendCalls } from '../calls/backend-calls.ts'
import type { Call } from '../calls/call.ts'
import { failed } from '../calls/failed.ts'
import { permitsUri } from '../../shared/name-policy.ts'
import type { Route } from '../catalogue/tenant-view.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import type { LinkSubscriptions } from './link-subscriptions.ts'
import type { OwnUris } from './own-uris.ts'
import {
  addSubscriber,
  awaitSubscription,
  endAwaiting,
  isSubscriber,
  isWanted,
  removeSubscriber,
  withdrawSubscriptions,
} from './slot-subscriptions.ts'

/** A backend, and one of its own URIs. */
export type Subscription = readonly [backend: string, uri: string]

/** The most resources that one session, or one `subscriptions/listen`, may be subscribed to. */
export const sessionSubscriptions = 1_000

/** The most characters of the URI of a resource to subscribe to: each session keeps many. */
const mostUri = 8_192

/** Which session subscribed to which resource, by link, so that each link subscribes to a resource only once. */
export class Subscriptions {
  readonly #calls: BackendCalls
  readonly #pool: Pick<LinkPool, 'reopen'>
  readonly #links: LinkSubscriptions
  readonly #ownUris: OwnUris
  /** Subscriptions at backends that the tenant of their caller does not have now: it may have them again. */
  readonly #waiting = new WeakMap<Caller, readonly Subscription[]>()
  /** How many subscriptions of a caller the backends have not answered yet. They count against its limit. */
  readonly #asking = new WeakMap<Caller, number>()

  constructor(calls: BackendCalls, pool: Pick<LinkPool, 'reopen'>, links: LinkSubscriptions, ownUris: OwnUris) {
    this.#calls = calls
    this.#pool = pool
    this.#links = links
    this.#ownUris = ownUris
  }

  async subscribe(call: Call, route: Route): Promise<Outcome> {
    const { request, caller } = call
    const { id, ended } = caller
    if (ended || id === undefined) return failed(call, 'session_unknown')
    const slot = caller.slot(route.entry)
    const sessions = slot.subscriptions?.get(route.name)
    if (request.params === undefined) return failed(call, 'invalid_params')
    if (route.name.length > mostUri) {
      return failed(call, 'invalid_params', {
        message: `Expects a URI of at most ${mostUri} characters to subscribe to`,
      })
    }
    const asking = this.#asking.get(caller) ?? 0
    if (!isSubscriber(sessions, caller) && caller.subscriptions + asking >= sessionSubscriptions) {
      const message = `A session can be subscribed to ${sessionSubscriptions} resources: unsubscribe from some first`
      return failed(call, 'overloaded', { message })
    }
    // Noted first: an update may come before the answer.
    this.#ownUris.note(caller, route, request.params.value())
    if (sessions !== undefined && slot.link !== undefined) {
      addSubscriber(slot, route.name, caller)
      return emptyOutcome
    }
    const params = edit(request.params, { uri: route.name })
    const awaited = awaitSubscription(slot, route.name, id)
    this.#asking.set(caller, asking + 1)
    let outcome: Outcome | undefined
    try {
      outcome = await this.#calls.run(call, route.entry, { ...request, params })
    } finally {
      endAwaiting(slot, route.name, awaited)
      this.#asking.set(caller, (this.#asking.get(caller) ?? 1) - 1)
    }
    if (awaited.isWithdrawn) this.#dropUnwanted(slot, route.name)
    else this.#settle(slot, route, call, outcome)
    if (!isSubscriber(slot.subscriptions?.get(route.name), caller)) this.#ownUris.forget(caller, route)
    return outcome
  }

  async unsubscribe(call: Call, route: Route): Promise<Outcome> {
    const { request, caller } = call
    if (caller.ended) return failed(call, 'session_unknown')
    const slot = caller.slot(route.entry)
    this.#ownUris.forget(caller, route)
    withdrawSubscriptions(slot, route.name, caller)
    const isLast = removeSubscriber(slot, route.name, caller)
    // A link that is gone has no subscriptions, and a new one gets those of its slot.
    if (!isLast || request.params === undefined || slot.link === undefined) return emptyOutcome
    const params = edit(request.params, { uri: route.name })
    const outcome = await this.#calls.run(call, route.entry, { ...request, params })
    this.#keepIfWanted(slot, route.name)
    return outcome
  }

  /**
   * Removes the subscriptions of a caller to this public URI at backends that its tenant does not have now. Returns whether
   * there was one.
   */
  removeWaiting(caller: Caller, uri: string): boolean {
    const waiting = this.#waiting.get(caller)
    const left = waiting?.filter(([, original]) => !hasOriginal(uri, original))
    if (waiting === undefined || left === undefined || left.length === waiting.length) return false
    this.#waiting.set(caller, left)
    caller.subscriptions -= waiting.length - left.length
    return true
  }

  /** The subscriptions of a session, also those at backends that are gone: backend names with the backend's own URIs. */
  of(caller: Caller): readonly Subscription[] {
    const waiting = this.#waiting.get(caller) ?? []
    return caller
      .slots()
      .flatMap((slot) =>
        [...(slot.subscriptions ?? [])]
          .filter(([, sessions]) => isSubscriber(sessions, caller))
          .map(([uri]) => [slot.entry.backend.name, uri] as const),
      )
      .concat(waiting)
  }

  /**
   * Restores the subscriptions that a caller had on another node, or at backends that were replaced, if it may have them.
   * Those at backends that are gone are kept.
   */
  takeIn(caller: Caller, subscriptions: readonly Subscription[]): void {
    const waiting: Subscription[] = []
    for (const [backend, uri] of subscriptions) {
      if (!permitsUri(caller.tenant.resources, backend, uri)) continue
      const entry = caller.tenant.backends.find((one) => one.backend.name === backend)
      if (entry === undefined) {
        waiting.push([backend, uri])
        continue
      }
      const slot = caller.slot(entry)
      const isNew = slot.subscriptions?.has(uri) !== true
      addSubscriber(slot, uri, caller)
      if (slot.link === undefined) void this.#pool.reopen(slot)
      else if (isNew) void this.#links.subscribe(slot, slot.link, uri)
    }
    if (waiting.length === 0) return
    this.#waiting.set(caller, [...(this.#waiting.get(caller) ?? []), ...waiting])
    caller.subscriptions += waiting.length
  }

  /**
   * Subscribes a caller whose tenant has a new configuration at the backends that have replaced those of its earlier
   * subscriptions, and ends subscriptions that it may not have any more.
   */
  renew(caller: Caller, earlier: readonly Subscription[]): void {
    this.#waiting.delete(caller)
    caller.subscriptions = this.of(caller).length
    const { resources } = caller.tenant
    this.#remove(caller, ({ entry }, uri) => !permitsUri(resources, entry.backend.name, uri), true)
    this.takeIn(caller, earlier)
  }

  /** Removes the subscriptions of a caller at backends that its tenant has no more. Links of its own are about to close. */
  leave(caller: Caller, entries: readonly BackendEntry[]): void {
    this.#remove(caller, ({ entry }) => entries.includes(entry), false)
  }

  /** Removes all subscriptions of a session. */
  end(caller: Caller): void {
    this.#remove(caller, () => true, false)
  }

  /** @param stays whether the links of the caller alone stay open */
  #remove(caller: Caller, isRemoved: (slot: LinkSlot, uri: string) => boolean, stays: boolean): void {
    for (const slot of caller.slots()) {
      for (const uri of slot.subscriptions?.keys() ?? []) {
        if (!isRemoved(slot, uri)) continue
        if (
          !removeSubscriber(slot, uri, caller) ||
          slot.link === undefined ||
          (!stays && slot.scope.session !== undefined)
        ) {
          continue
        }
        this.#drop(slot, slot.link, uri)
      }
    }
  }

  /** Adds a subscription that the backend has confirmed; its link may be retired meanwhile. */
  #settle(slot: LinkSlot, { entry, name }: Route, { caller, exchange }: Call, outcome: Outcome): void {
    if (caller.ended || exchange.ended !== undefined) {
      this.#dropUnwanted(slot, name)
    } else if (outcome.kind === 'complete') {
      if (slot.retired) this.takeIn(caller, [[entry.backend.name, name]])
      else addSubscriber(slot, name, caller)
    }
  }

  /** The caller wants the subscription no more: the backend may have made it in vain. */
  #dropUnwanted(slot: LinkSlot, uri: string): void {
    if (slot.link !== undefined && !slot.retired && !isWanted(slot, uri)) this.#drop(slot, slot.link, uri)
  }

  /** Unsubscribes a link from a resource that no caller wants any more. */
  #drop(slot: LinkSlot, link: Link, uri: string): void {
    void this.#links.unsubscribe(slot, link, uri).then(() => this.#keepIfWanted(slot, uri))
  }

  /** Another caller may have subscribed while the link was unsubscribed, and its request may have come first. */
  #keepIfWanted(slot: LinkSlot, uri: string): void {
    if (slot.link !== undefined && isWanted(slot, uri)) void this.#links.subscribe(slot, slot.link, uri)
  }
}
