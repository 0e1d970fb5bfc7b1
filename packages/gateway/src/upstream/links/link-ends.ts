import type { Link, LinkEvent, Log } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { waitAtMost } from '../../shared/timeouts.ts'
import { closedBreaker } from './breaker.ts'
import type { EmitLinkEvent } from './emit-link-event.ts'
import type { LinkPermits } from './link-permits.ts'
import type { LinkSlot } from './link-slot.ts'

/** Why a link was closed. */
export type LinkCloseReason = Extract<LinkEvent, { kind: 'link_closed' }>['reason']

/** How long a link may take to close, in milliseconds: programs have some seconds to end. */
export const linkCloseMs = 10_000

/** What the ends of links need. */
export interface LinkEndsParts {
  readonly permits: LinkPermits
  readonly clock: Clock
  readonly log: Log
  readonly emit: EmitLinkEvent
  /** Called when a slot has no link any more. */
  readonly unlinked: (slot: LinkSlot) => void
}

/** Ends links. Each returns its permit once, when it has closed completely, or has not closed in time. */
export class LinkEnds {
  readonly #parts: LinkEndsParts
  readonly #ending = new Set<Promise<void>>()
  readonly #closing = new WeakMap<BackendEntry, number>()

  constructor(parts: LinkEndsParts) {
    this.#parts = parts
  }

  /** How many links of the backend are closing. Each will return a permit. */
  closing(entry: BackendEntry): number {
    return this.#closing.get(entry) ?? 0
  }

  /** Closes the slot's link, if it has one. */
  close(slot: LinkSlot, reason: LinkCloseReason): void {
    const { entry, link } = slot
    if (link === undefined) return
    this.#drop(slot)
    this.#parts.emit(entry, { kind: 'link_closed', backend: entry.backend.name, tenant: slot.scope.tenant, reason })
    const ended = this.#end(entry, link).finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  /** Called when the slot's link broke: there is nothing to close. */
  broke(slot: LinkSlot): void {
    this.#drop(slot)
    this.#parts.permits.giveBack(slot.entry)
  }

  /** Closes a link that no slot has. Never rejects. A plugin whose link never closes keeps nothing else from ending. */
  async closeQuietly(entry: BackendEntry, link: Link): Promise<void> {
    const { name: backend } = entry.backend
    try {
      const closing = closed(link)
      const isClosed = await Promise.race([
        closing,
        waitAtMost(this.#parts.clock, linkCloseMs, closing).then(() => false),
      ])
      if (!isClosed)
        this.#parts.log.warn('a link has not closed in time, and is left as it is', { backend, ms: linkCloseMs })
    } catch (error) {
      this.#parts.log.warn('a link did not close cleanly', { backend, error })
    }
  }

  /** Resolves when all links that are closing now have closed. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending)
  }

  async #end(entry: BackendEntry, link: Link): Promise<void> {
    this.#closing.set(entry, this.closing(entry) + 1)
    await this.closeQuietly(entry, link)
    this.#closing.set(entry, this.closing(entry) - 1)
    this.#parts.permits.giveBack(entry)
  }

  /** Removes the link and its breaker: the next link starts with a closed breaker. */
  #drop(slot: LinkSlot): void {
    const { entry, breaker } = slot
    slot.link = undefined
    slot.breaker = closedBreaker
    this.#parts.unlinked(slot)
    if (breaker.kind === 'closed') return
    this.#parts.emit(entry, { kind: 'breaker_changed', backend: entry.backend.name, state: 'closed' })
  }
}

async function closed(link: Link): Promise<true> {
  await link.close()
  return true
}
