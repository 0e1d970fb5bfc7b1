import type { Client } from '@junctor/exchange'
import type { Link, Log, Scope, Tell } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { waitAtMost } from '../../shared/patience.ts'
import { BackendConditions } from './backend-conditions.ts'
import type { BackendHealth } from './backend-health.ts'
import { healthOf } from './backend-health.ts'
import { noAttempts } from './backoff.ts'
import { closedByItself, codeOf, errorOf } from './broken-links.ts'
import { IdleLinks } from './idle-links.ts'
import type { LinkCloseReason } from './link-ends.ts'
import { LinkEnds } from './link-ends.ts'
import { linkFacts } from './link-facts.ts'
import { LinkOpener } from './link-opener.ts'
import type { LinkPermits } from './link-permits.ts'
import { createLinkPermits } from './link-permits.ts'
import type { LinkSlot, OpenFailure } from './link-slot.ts'
import { openFailure } from './link-slot.ts'
import { SlotTable } from './slot-table.ts'

/** What the pool tells of its links. */
export interface LinkEvents {
  /** A link opened. What was set on the one before it is to be set again before anybody uses it. */
  opened(slot: LinkSlot, link: Link): Promise<void>
  /** A backend cannot be reached any more, or can be again. Told once for each change. */
  reachable(entry: BackendEntry, reachable: boolean): void
  /** What a new slot's link speaks to. */
  client: (slot: LinkSlot) => Client
}

/** All links of a node: opened on demand, shared within their scope, capped by backend, closed when idle. */
export interface LinkPool {
  slot(entry: BackendEntry, scope: Scope): LinkSlot
  /**
   * The slot's link: at once when it is open. Never rejects. Each call needs one `release`, also when there is no
   * link: until then the link is neither closed as idle nor for another scope.
   */
  acquire(slot: LinkSlot): Link | Promise<Link | OpenFailure>
  /** Ends one use of the slot. A link without users may be closed, when it is idle or for a scope that waits for a permit. */
  release(slot: LinkSlot): void
  /** Closes the slot of the scope for good, if there is one. An open that is under way stops. */
  retire(entry: BackendEntry, scope: Scope): Promise<void>
  /**
   * Nobody has the backend any more: there are no new links to it. Calls that run on old ones may end, within a bound.
   * Resolves when all its links are closed.
   */
  remove(entry: BackendEntry): Promise<void>
  /** The backend is there again: the next open is tried at once, whatever came of those before. */
  revive(entry: BackendEntry): void
  /** The backend is gone, before anybody has found out by trying. */
  miss(entry: BackendEntry, error: Error): void
  health(entry: BackendEntry): BackendHealth
  /** Closes what was not used for its backend's idle time. */
  sweep(): void
  close(): Promise<void>
}

export interface LinkPoolOptions {
  readonly events: LinkEvents
  readonly log: Log
  readonly tell: Tell
  readonly clock: Clock
  /** A number in [0, 1), for jitter. */
  readonly random: () => number
}

/** How long calls on a backend that was removed may go on, in milliseconds. */
const removalMs = 10_000

export function createLinkPool(options: LinkPoolOptions): LinkPool {
  return new Pool(options)
}

class Pool implements LinkPool {
  readonly #clock: Clock
  readonly #slots: SlotTable
  readonly #permits: LinkPermits
  readonly #conditions: BackendConditions
  readonly #ends: LinkEnds
  readonly #idle: IdleLinks
  readonly #opener: LinkOpener
  #closed = false

  constructor({ events, log, tell, clock, random }: LinkPoolOptions) {
    const { now } = clock
    const tellLink = linkFacts(tell)
    const reachable = events.reachable.bind(events)
    const permits = createLinkPermits(clock)
    const conditions = new BackendConditions({ reachable, now, random, log, tell: tellLink })
    const ends = new LinkEnds(permits, log, tellLink)
    this.#clock = clock
    this.#permits = permits
    this.#conditions = conditions
    this.#ends = ends
    this.#slots = new SlotTable(now, events.client)
    this.#idle = new IdleLinks(this.#slots, permits, ends, now)
    const prepare = events.opened.bind(events)
    this.#opener = new LinkOpener({ conditions, permits, idle: this.#idle, ends, clock, prepare })
  }

  slot(entry: BackendEntry, scope: Scope): LinkSlot {
    return this.#slots.slot(entry, scope)
  }

  acquire(slot: LinkSlot): Link | Promise<Link | OpenFailure> {
    slot.holds += 1
    slot.lastUsed = this.#clock.now()
    if (slot.link !== undefined) return slot.link
    if (slot.retired || this.#closed) return Promise.resolve(openFailure('closed'))
    slot.opening ??= this.#open(slot)
    return slot.opening
  }

  release(slot: LinkSlot): void {
    slot.holds -= 1
    slot.lastUsed = this.#clock.now()
    if (slot.holds > 0) return
    slot.freed?.()
    this.#idle.makeRoom(slot.entry)
  }

  async retire(entry: BackendEntry, scope: Scope): Promise<void> {
    const slot = this.#slots.take(entry, scope)
    if (slot !== undefined) await this.#retire(slot, 'ended')
  }

  async remove(entry: BackendEntry): Promise<void> {
    await Promise.all(this.#slots.takeAll(entry).map((slot) => this.#retireWhenFree(slot)))
    await this.#ends.settled()
  }

  revive(entry: BackendEntry): void {
    this.#conditions.forgetFailures(entry)
    for (const slot of this.#slots.of(entry)) {
      slot.breaks = noAttempts
      void this.#reopen(slot)
    }
  }

  miss(entry: BackendEntry, error: Error): void {
    this.#conditions.down(entry, error)
  }

  health(entry: BackendEntry): BackendHealth {
    const health = healthOf(this.#conditions.of(entry), this.#slots.of(entry), this.#clock.now())
    return { ...health, links: this.#permits.taken(entry), queued: this.#permits.waiting(entry) }
  }

  sweep(): void {
    this.#idle.sweep()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#slots.all()].map((slot) => this.#retire(slot, 'shutdown')))
    this.#slots.clear()
    await this.#ends.settled()
  }

  async #open(slot: LinkSlot): Promise<Link | OpenFailure> {
    const stop = new AbortController()
    slot.stopOpening = stop
    try {
      const opened = await this.#opener.open(slot, stop.signal)
      if (!('kind' in opened)) void this.#watch(slot, opened)
      return opened
    } finally {
      slot.opening = undefined
      slot.stopOpening = undefined
    }
  }

  async #watch(slot: LinkSlot, link: Link): Promise<void> {
    // It never rejects, but for the fault of a plugin, which is no reason for this process to end.
    const error = await link.closed.catch(errorOf)
    if (slot.link !== link) return
    const broken = error ?? closedByItself()
    this.#ends.broke(slot)
    this.#conditions.broke(slot, broken)
    if (codeOf(broken) === 'NODE_LEFT') void this.#reopen(slot)
  }

  /** Opens a link that has subscriptions, though no call needs it: updates come over it. */
  async #reopen(slot: LinkSlot): Promise<void> {
    if (slot.link !== undefined || (slot.subscriptions?.size ?? 0) === 0) return
    await this.acquire(slot)
    this.release(slot)
  }

  async #retire(slot: LinkSlot, reason: LinkCloseReason): Promise<void> {
    slot.retired = true
    slot.stopOpening?.abort(new Error('nobody wants this link any more'))
    await slot.opening
    this.#ends.close(slot, reason)
  }

  async #retireWhenFree(slot: LinkSlot): Promise<void> {
    slot.retired = true
    if (slot.link !== undefined && slot.holds > 0) await waitAtMost(this.#clock, removalMs, whenFree(slot))
    await this.#retire(slot, 'ended')
  }
}

/** Resolves when no call holds the slot any more. */
function whenFree(slot: LinkSlot): Promise<void> {
  return new Promise((resolve) => {
    slot.freed = resolve
  })
}
