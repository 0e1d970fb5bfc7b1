import type { Scope } from '@junctor/contracts'
import type { Client } from '@junctor/exchange'
import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { LinkSlot } from './link-slot.ts'

/** The slots of all links, by backend and scope. A scope gets only its own slot. */
export class SlotTable {
  readonly #slots = new Map<BackendEntry, Map<string, LinkSlot>>()
  readonly #removed = new WeakSet<BackendEntry>()
  readonly #now: () => number
  readonly #client: (slot: LinkSlot) => Client

  /** @param client creates the client of a new slot's link */
  constructor(now: () => number, client: (slot: LinkSlot) => Client) {
    this.#now = now
    this.#client = client
  }

  /** The slot of the scope, created if needed. A new slot of a removed backend is already retired, and is not kept. */
  slot(entry: BackendEntry, scope: Scope): LinkSlot {
    const known = this.#slots.get(entry)?.get(scope.key)
    if (known !== undefined) {
      known.setCallerToken(scope.callerToken)
      return known
    }
    const slot = new LinkSlot(entry, scope, this.#now(), this.#client)
    if (this.#removed.has(entry)) slot.retired = true
    else this.#add(slot)
    return slot
  }

  /** Removes and returns the slot of the scope, if it exists. */
  take(entry: BackendEntry, scope: Scope): LinkSlot | undefined {
    const slots = this.#slots.get(entry)
    const slot = slots?.get(scope.key)
    slots?.delete(scope.key)
    if (slots?.size === 0) this.#slots.delete(entry)
    return slot
  }

  /** Removes and returns all slots of a backend. It gets no new ones until it is restored. */
  takeAll(entry: BackendEntry): readonly LinkSlot[] {
    const slots = [...this.of(entry)]
    this.#removed.add(entry)
    this.#slots.delete(entry)
    return slots
  }

  /** Lets a removed backend have slots again. */
  restore(entry: BackendEntry): void {
    this.#removed.delete(entry)
  }

  /** The slots of one backend. */
  of(entry: BackendEntry): Iterable<LinkSlot> {
    return this.#slots.get(entry)?.values() ?? []
  }

  /** The slots of all backends. Slots may be removed during the iteration. */
  *all(): Iterable<LinkSlot> {
    for (const slots of this.#slots.values()) yield* slots.values()
  }

  clear(): void {
    this.#slots.clear()
  }

  #add(slot: LinkSlot): void {
    keptOr(this.#slots, slot.entry, () => new Map()).set(slot.scope.key, slot)
  }
}
