import type { Client } from '@junctor/exchange'
import type { Link, Log, Scope, Emit } from '@junctor/contracts'
import { errorOf } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { pauseUnlessAborted, waitAtMost } from '../../shared/timeouts.ts'
import { BackendStates } from './backend-states.ts'
import { type BackendHealth, healthOf } from './backend-health.ts'
import { noAttempts } from './backoff.ts'
import { closedByItselfError, codeOf } from './link-errors.ts'
import { IdleLinks } from './idle-links.ts'
import { type LinkCloseReason, LinkEnds } from './link-ends.ts'
import { emitterOfLinkEvents } from './emit-link-event.ts'
import { LinkOpener } from './link-opener.ts'
import { createLinkPermits, type LinkPermits } from './link-permits.ts'
import { type LinkSlot, type OpenFailure, openFailure } from './link-slot.ts'
import { SlotTable } from './slot-table.ts'

/** Is notified about the pool's links and backends. */
export interface PoolListener {
  /** A link opened. Restores what was set on the previous link before any call uses the new one. */
  readonly opened: (slot: LinkSlot, link: Link) => Promise<void>
  /** The link of the slot is in use. */
  readonly linked: (slot: LinkSlot) => void
  /** That link has closed, or has broken. */
  readonly unlinked: (slot: LinkSlot) => void
  /** A backend became unreachable, or reachable again. */
  readonly reachabilityChanged: (entry: BackendEntry) => void
  /** Creates the client of a new slot's link. */
  readonly client: (slot: LinkSlot) => Client
}

/** What a pool needs. */
export interface LinkPoolOptions {
  readonly listener: PoolListener
  readonly log: Log
  readonly emit: Emit
  readonly clock: Clock
  /** Returns a number in [0, 1), for jitter. */
  readonly random: () => number
}

/** After how long a link is opened again when its backend has no pause: there was no room for it, in milliseconds. */
const reopenMs = 5_000

/** How long running calls of a removed backend may continue, in milliseconds. */
const removalMs = 10_000

/** All links of a node: opened on demand, shared within their scope, limited for each backend, closed when idle. */
export class LinkPool {
  readonly #clock: Clock
  readonly #slots: SlotTable
  readonly #permits: LinkPermits
  readonly #states: BackendStates
  readonly #ends: LinkEnds
  readonly #idle: IdleLinks
  readonly #opener: LinkOpener
  #closed = false

  constructor({ listener, log, emit, clock, random }: LinkPoolOptions) {
    const { now } = clock
    const { opened: prepare, linked, unlinked, reachabilityChanged, client } = listener
    const emitLinkEvent = emitterOfLinkEvents(emit)
    const permits = createLinkPermits(clock)
    const states = new BackendStates({ reachabilityChanged, now, random, log, emit: emitLinkEvent })
    const ends = new LinkEnds({ permits, clock, log, emit: emitLinkEvent, unlinked })
    this.#clock = clock
    this.#permits = permits
    this.#states = states
    this.#ends = ends
    this.#slots = new SlotTable(now, client)
    this.#idle = new IdleLinks(this.#slots, permits, ends, now)
    this.#opener = new LinkOpener({ states, permits, idle: this.#idle, ends, clock, prepare, linked })
  }

  slot(entry: BackendEntry, scope: Scope): LinkSlot {
    return this.#slots.slot(entry, scope)
  }

  /**
   * The slot's link, immediately when it is open. Never rejects. Each call must call `release` once, also when there is
   * no link. Until then, the link is neither closed as idle nor closed to make room for another scope.
   */
  acquire(slot: LinkSlot): Link | Promise<Link | OpenFailure> {
    slot.holds += 1
    if (slot.link !== undefined) return slot.link
    if (slot.retired || this.#closed) return Promise.resolve(openFailure('closed'))
    slot.opening ??= this.#open(slot)
    return slot.opening
  }

  /** Ends one use of the slot. An unused link may be closed when it is idle, or when a scope waits for a permit. */
  release(slot: LinkSlot): void {
    slot.holds -= 1
    slot.lastUsed = this.#clock.now()
    if (slot.holds > 0) return
    slot.freed?.()
    if (this.#permits.allWaiting > 0) this.#idle.makeRoom(slot.entry)
  }

  /** Closes the slot of the scope permanently, if it exists. Aborts a running open. */
  async retire(entry: BackendEntry, scope: Scope): Promise<void> {
    const slot = this.#slots.take(entry, scope)
    if (slot !== undefined) await this.#retire(slot, 'ended')
  }

  /** The same, when its running calls have ended, within a time limit. */
  async retireWhenFree(entry: BackendEntry, scope: Scope): Promise<void> {
    const slot = this.#slots.take(entry, scope)
    if (slot !== undefined) await this.#retireWhenFree(slot)
  }

  /**
   * Removes a backend that no tenant has any more: no new links open until it is restored. Running calls, and calls that
   * wait for a link to open, may end within a time limit. Resolves when all its links are closed.
   */
  async remove(entry: BackendEntry): Promise<void> {
    await Promise.all(this.#slots.takeAll(entry).map((slot) => this.#retireWhenFree(slot)))
    await this.#ends.settled()
  }

  /** Called when a tenant has a backend, which may have been removed. */
  restore(entry: BackendEntry): void {
    this.#slots.restore(entry)
  }

  /**
   * Opens a link that has subscriptions, although no call needs it, because updates arrive over it. Tries again, after
   * the pauses of its backend, until it is open or not wanted any more.
   */
  async reopen(slot: LinkSlot): Promise<void> {
    slot.stopReopening?.abort()
    const stop = new AbortController()
    const { signal } = stop
    slot.stopReopening = stop
    const isWanted = (): boolean =>
      !signal.aborted && !slot.retired && !this.#closed && (slot.subscriptions?.size ?? 0) > 0
    while (slot.link === undefined && isWanted()) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const opened = await this.acquire(slot)
      this.release(slot)
      // oxlint-disable-next-line no-await-in-loop
      if ('kind' in opened) await pauseUnlessAborted(this.#clock, opened.retryAfterMs ?? reopenMs, signal)
    }
    if (slot.stopReopening === stop) slot.stopReopening = undefined
  }

  /** Called when the backend is back: the next open is tried immediately, regardless of earlier failures. */
  revive(entry: BackendEntry): void {
    this.#states.forgetFailures(entry)
    for (const slot of this.#slots.of(entry)) {
      slot.breaks = noAttempts
      void this.reopen(slot)
    }
  }

  /** Called when the backend is known to be gone, before an open has failed. */
  miss(entry: BackendEntry, error: Error): void {
    this.#states.down(entry, error)
  }

  health(entry: BackendEntry): BackendHealth {
    const health = healthOf(this.#states.recordOf(entry), this.#slots.of(entry), this.#clock.now())
    return { ...health, links: this.#permits.taken(entry), queued: this.#permits.waiting(entry) }
  }

  /** Closes links that were unused for their backend's idle time. */
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
    // Rejects only when a plugin is faulty, which must not end this process.
    const error = await link.closed.catch(errorOf)
    if (slot.link !== link) return
    const broken = error ?? closedByItselfError()
    this.#ends.broke(slot)
    // This is about the backend, not about this link alone.
    if (codeOf(broken) === 'BACKEND_UNREACHABLE') this.#states.down(slot.entry, broken)
    this.#states.broke(slot, broken)
    void this.reopen(slot)
  }

  async #retire(slot: LinkSlot, reason: LinkCloseReason): Promise<void> {
    slot.retired = true
    slot.stopReopening?.abort()
    slot.stopOpening?.abort(new Error('no caller needs this link any more'))
    await slot.opening
    this.#ends.close(slot, reason)
  }

  async #retireWhenFree(slot: LinkSlot): Promise<void> {
    slot.retired = true
    if (slot.holds > 0) await waitAtMost(this.#clock, removalMs, whenFree(slot))
    await this.#retire(slot, 'ended')
  }
}

/** Resolves when no call uses the slot any more. */
function whenFree(slot: LinkSlot): Promise<void> {
  return new Promise((resolve) => {
    slot.freed = resolve
  })
}
