import type { Lease } from '@junctor/contracts'

/** Below that of every other loan: the sequence of a note, the first of which is no loan's. */
const heldFence = 1

/** The lane that an item is in. */
export interface LaneOfLease {
  /** Whether the items of this lane are still on loan to this node. Rejects when that cannot be known. */
  isOurs(): Promise<boolean>
  /** The item is done. False: the lane is lost. */
  done(number: number): Promise<boolean>
  /** The item goes to the queue. */
  give(number: number, afterMs: number): Promise<void>
}

/** An item that is held by the node that has stored it. */
export class HeldLease<T> implements Lease<T> {
  readonly id: string
  readonly value: T
  readonly fence: number = heldFence
  readonly #number: number
  readonly #lane: LaneOfLease
  readonly #leaseMs: number
  #endsAt: number
  /** It is done, and that is being written. */
  #isEnding = false
  #isOver = false

  constructor(
    item: { readonly id: string; readonly value: T; readonly number: number },
    lane: LaneOfLease,
    leaseMs: number,
  ) {
    this.id = item.id
    this.value = item.value
    this.#number = item.number
    this.#lane = lane
    this.#leaseMs = leaseMs
    this.#endsAt = performance.now() + leaseMs
  }

  /** Its holder has said nothing for the time of a loan. */
  get isForgotten(): boolean {
    return !this.#isOver && !this.#isEnding && performance.now() >= this.#endsAt
  }

  async extend(): Promise<boolean> {
    if (this.#isEnding) return true
    const at = performance.now()
    if (!this.#isLent || !(await this.#lane.isOurs()) || !this.#isLent) return false
    this.#endsAt = at + this.#leaseMs
    return true
  }

  async done(): Promise<boolean> {
    // Tried again, when it could not be written.
    if (!this.#isLent && !this.#isEnding) return false
    this.#isEnding = true
    const isDone = await this.#lane.done(this.#number)
    this.#isEnding = false
    this.#isOver = true
    return isDone
  }

  async release(afterMs = 0): Promise<void> {
    if (this.#isOver || this.#isEnding) return
    this.#isOver = true
    await this.#lane.give(this.#number, afterMs)
  }

  get #isLent(): boolean {
    return !this.#isOver && performance.now() < this.#endsAt
  }
}
