import type { Payload } from '@junctor/jsonrpc'
import { keptOr } from '@junctor/primitives'
import type { Clock } from '../../shared/clock.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { subscribersOf } from './slot-subscriptions.ts'

/** Delivers an update of a resource, with the params of the backend's notification. */
export type DeliverUpdate = (slot: LinkSlot, uri: string, params: Payload) => void

/** The update that came last while its window was open. Undefined: none came. */
interface Window {
  last: Payload | undefined
}

/**
 * Limits how often the subscribers of one resource are notified. The first update is delivered immediately. Those that
 * come within an interval after it are delivered as one, the last, at the end of the interval: each says the same, that
 * the resource must be read again.
 */
export class UpdateWindows {
  readonly #deliver: DeliverUpdate
  readonly #gatherMs: number
  readonly #clock: Clock
  readonly #open = new WeakMap<LinkSlot, Map<string, Window>>()

  /** @param gatherMs the interval, in milliseconds */
  constructor(deliver: DeliverUpdate, gatherMs: number, clock: Clock) {
    this.#deliver = deliver
    this.#gatherMs = gatherMs
    this.#clock = clock
  }

  /** A backend has reported an update. Without subscribers it has no effect. */
  updated(slot: LinkSlot, uri: string, params: Payload): void {
    const windows = this.#windowsOf(slot)
    const known = windows.get(uri)
    if (known !== undefined) {
      known.last = params
      return
    }
    if (subscribersOf(slot, uri).size === 0) return
    const window: Window = { last: undefined }
    windows.set(uri, window)
    this.#clock.deadlines.add({
      deadline: this.#clock.now() + this.#gatherMs,
      expire: () => this.#close(slot, uri, window),
    })
    this.#deliver(slot, uri, params)
  }

  #close(slot: LinkSlot, uri: string, { last }: Window): void {
    this.#windowsOf(slot).delete(uri)
    // Another interval begins with it.
    if (last !== undefined) this.updated(slot, uri, last)
  }

  #windowsOf(slot: LinkSlot): Map<string, Window> {
    return keptOr(this.#open, slot, () => new Map())
  }
}
