import type { RequestId } from './request-id.ts'

interface Slot<Value> {
  value: Value | undefined
}

/**
 * What waits under an id, and soon leaves again: requests in flight.
 *
 * A plain `Map` will not do for large values: as entries come and go its table is replaced by another one again and
 * again, and each discarded table keeps what was in it then in memory until the next full collection. Here that is an
 * empty slot.
 */
export class Pending<Value> {
  readonly #slots = new Map<RequestId, Slot<Value>>()

  get size(): number {
    return this.#slots.size
  }

  has(id: RequestId): boolean {
    return this.#slots.has(id)
  }

  get(id: RequestId): Value | undefined {
    return this.#slots.get(id)?.value
  }

  /** Replaces what waits under the id already. */
  set(id: RequestId, value: Value): void {
    this.#slots.set(id, { value })
  }

  /** What waits under the id, which from now on is nothing. */
  take(id: RequestId): Value | undefined {
    const slot = this.#slots.get(id)
    if (slot === undefined) return undefined
    const { value } = slot
    slot.value = undefined
    this.#slots.delete(id)
    return value
  }

  /** What waits now, oldest first. */
  values(): Value[] {
    return [...this.#slots.values()].map(({ value }) => value as Value)
  }
}
