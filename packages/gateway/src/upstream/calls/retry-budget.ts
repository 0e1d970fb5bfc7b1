import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'

/** How many calls of one backend may be sent again at once, and how many in each second after that. */
const atOnce = 50
const eachSecond = 1

interface Room {
  left: number
  /** Epoch milliseconds of the last look. */
  at: number
}

/**
 * Bounds the calls of each backend that are sent again, at this node: a link that many calls share takes them along, and a
 * backend that is down must not get twice the calls.
 */
export class RetryBudget {
  readonly #rooms = new WeakMap<BackendEntry, Room>()
  readonly #now: () => number

  /** @param now returns epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a call that is sent again. Returns whether there is room for it. */
  take(entry: BackendEntry): boolean {
    const now = this.#now()
    const room = keptOr(this.#rooms, entry, () => ({ left: atOnce, at: now }))
    room.left = Math.min(atOnce, room.left + (Math.max(0, now - room.at) / 1_000) * eachSecond)
    room.at = now
    if (room.left < 1) return false
    room.left -= 1
    return true
  }
}
