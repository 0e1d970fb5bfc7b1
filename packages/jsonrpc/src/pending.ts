import type { RequestId } from './request-id.ts'

interface Slot<Value> {
  value: Value | undefined
}

/**
 * Values under ids that are removed again soon: requests in flight.
 *
 * A plain `Map` is not suitable for large values: as entries are added and removed, its table is replaced again and
 * again, and each discarded table keeps its former values in memory until the next full collection. Here it keeps only
 * an empty slot.
 */
export class Pending<Value> {
  readonly #slots = new Map<RequestId, Slot<Value>>()

  get size(): number {
    return this.#slots.size
  }

  /** Whether something waits for a response with this id. */
  has(id: RequestId): boolean {
    return this.#slots.has(id)
  }

  /** What waits for the response with this id. */
  get(id: RequestId): Value | undefined {
    return this.#slots.get(id)?.value
  }

  /** Sets the value of the id, and replaces an existing one. */
  set(id: RequestId, value: Value): void {
    this.#slots.set(id, { value })
  }

  /** Removes and returns the value of the id. */
  take(id: RequestId): Value | undefined {
    const slot = this.#slots.get(id)
    if (slot === undefined) return undefined
    const { value } = slot
    slot.value = undefined
    this.#slots.delete(id)
    return value
  }

  /** Returns the current values, oldest first. */
  values(): Value[] {
    return [...this.#slots.values()].map(({ value }) => value as Value)
  }
}
