import type { Lease } from '@junctor/contracts'

/** Lower than the fence of every other lease: those fences are sequences of notes, and the first note is not a lease. */
const heldFence = 1

/** The lane that an item is in. */
export interface LaneOfLease {
  /** Whether this node still has the leases of this lane. Rejects when the storage cannot be asked. */
  isOurs(): Promise<boolean>
  /** Records that the item is done. Resolves with false when another node has taken the lane over. */
  done(number: number): Promise<boolean>
  /** Moves the item to the queue. */
  give(number: number, afterMs: number): Promise<void>
}

/** The lease of an item at the node that stored it. */
export class HeldLease<T> implements Lease<T> {
  readonly id: string
  readonly value: T
  readonly fence: number = heldFence
  readonly #number: number
  readonly #lane: LaneOfLease
  readonly #leaseMs: number
  #endsAt: number
  /** The item is done; the write of that is pending. */
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

  /** Whether the holder has neither extended nor ended the lease in time. */
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
    // A caller may try again after a failed write.
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
