import type { Link } from '@junctor/contracts'
import { errorOf } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { pauseUnlessAborted, withTimeout } from '../../shared/timeouts.ts'
import type { BackendStates } from './backend-states.ts'
import { rejectWhenClosed, codeOf } from './link-errors.ts'
import type { IdleLinks } from './idle-links.ts'
import type { LinkEnds } from './link-ends.ts'
import type { LinkPermits } from './link-permits.ts'
import { type LinkSlot, type OpenFailure, openFailure } from './link-slot.ts'

/** A request waits for the pause of a backend when it ends within this time, in milliseconds. */
const shortPauseMs = 1_000
/** How long a link may take to open, in milliseconds: long enough for a package runner with a cold cache. */
export const openTimeoutMs = 60_000

/**
 * What must be true before a link may open (the pause is over, there is a permit), and what is done with the new one.
 */
export interface LinkOpenerParts {
  readonly states: BackendStates
  readonly permits: LinkPermits
  readonly idle: IdleLinks
  readonly ends: LinkEnds
  readonly clock: Clock
  /** Restores on a new link what was set on the previous one. */
  readonly prepare: (slot: LinkSlot, link: Link) => Promise<void>
  /** Called when the link of the slot is in use. */
  readonly linked: (slot: LinkSlot) => void
}

/** Opens links, after the pause of a backend that failed, and with a permit. */
export class LinkOpener {
  readonly #parts: LinkOpenerParts

  constructor(parts: LinkOpenerParts) {
    this.#parts = parts
  }

  /** Opens the slot's link. Never rejects. */
  async open(slot: LinkSlot, signal: AbortSignal): Promise<Link | OpenFailure> {
    const { states, clock } = this.#parts
    const { entry } = slot
    const pauseMs = states.pauseMs(slot)
    if (pauseMs > shortPauseMs) return openFailure('backing_off', pauseMs)
    if (pauseMs > 0) await pauseUnlessAborted(clock, pauseMs, signal)
    if (!(await this.#takePermit(entry, signal))) return openFailure(signal.aborted ? 'closed' : 'overloaded')
    const began = clock.now()
    try {
      signal.throwIfAborted()
      const link = await withTimeout(clock, openTimeoutMs, (stop) => this.#connect(slot, stop), signal)
      slot.openedAt = clock.now()
      slot.link = link
      this.#parts.linked(slot)
      states.opened(slot)
      return link
    } catch (error) {
      return this.#failed(slot, errorOf(error), signal, began)
    }
  }

  #takePermit(entry: BackendEntry, signal: AbortSignal): boolean | Promise<boolean> {
    const { permits, idle } = this.#parts
    if (permits.take(entry)) return true
    const waited = permits.wait(entry, signal)
    idle.makeRoom(entry)
    return waited
  }

  /** Connects and prepares a link. Closes it when it comes too late, breaks, or takes too long to prepare. */
  async #connect(slot: LinkSlot, signal: AbortSignal): Promise<Link> {
    const { scope } = slot
    const link = await slot.entry.backend.open(scope, slot.client, signal)
    try {
      // The code of a plugin may go on after it was told to stop.
      signal.throwIfAborted()
      const { callerToken } = slot.scope
      if (callerToken !== undefined && callerToken !== scope.callerToken) link.present?.(callerToken)
      await Promise.race([rejectWhenClosed(link), this.#parts.prepare(slot, link)])
      signal.throwIfAborted()
      return link
    } catch (error) {
      await this.#parts.ends.closeQuietly(slot.entry, link)
      throw error
    }
  }

  #failed(slot: LinkSlot, cause: Error, signal: AbortSignal, began: number): OpenFailure {
    const { states, permits } = this.#parts
    permits.giveBack(slot.entry)
    // Neither is the backend's fault: the link is no longer needed, or the nodes that host it have no room.
    if (signal.aborted) return openFailure('closed')
    if (codeOf(cause) === 'LIMIT_REACHED') return openFailure('overloaded')
    states.openFailed(slot, cause, began)
    return openFailure('open_failed', states.recordOf(slot.entry).opens.notBefore - this.#parts.clock.now())
  }
}
