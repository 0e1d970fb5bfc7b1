import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { LinkEnds } from './link-ends.ts'
import type { LinkPermits } from './link-permits.ts'
import { isIdle, type LinkSlot } from './link-slot.ts'
import type { SlotTable } from './slot-table.ts'

/** Closes unused links: after their idle time, or earlier when a scope waits for a permit. */
export class IdleLinks {
  readonly #slots: SlotTable
  readonly #permits: LinkPermits
  readonly #ends: LinkEnds
  readonly #now: () => number

  constructor(slots: SlotTable, permits: LinkPermits, ends: LinkEnds, now: () => number) {
    this.#slots = slots
    this.#permits = permits
    this.#ends = ends
    this.#now = now
  }

  /**
   * Closes links that were unused for their backend's idle time, unless the backend needs them to report changes. Removes
   * slots without a link that belong to no session.
   */
  sweep(): void {
    for (const slot of this.#slots.all()) {
      if (!isIdle(slot) || this.#now() - slot.lastUsed < slot.entry.idleMs) continue
      if (slot.link !== undefined) {
        if (slot.entry.backend.changesAlone !== true) this.#ends.close(slot, 'idle')
      } else if (slot.scope.session === undefined) {
        slot.retired = true
        this.#slots.take(slot.entry, slot.scope)
      }
    }
  }

  /** Closes the link that was idle for longest, when more scopes wait for a permit than links are closing. */
  makeRoom(entry: BackendEntry): void {
    if (this.#permits.waiting(entry) <= this.#ends.closing(entry)) return
    let oldest: LinkSlot | undefined
    for (const slot of this.#slots.of(entry)) {
      if (slot.link === undefined || !isIdle(slot)) continue
      if (oldest === undefined || slot.lastUsed < oldest.lastUsed) oldest = slot
    }
    if (oldest !== undefined) this.#ends.close(oldest, 'idle')
  }
}
