import { LRUCache } from 'lru-cache'

/**
 * How many messages a message may be behind the highest of its sender: NATS keeps the messages of a sender in order.
 */
export const seenCounts = 8_192

/** The number of remembered senders, 1 KiB for each. The least recently received ones are forgotten first. */
const mostSenders = 4_096

interface Seen {
  highest: number
  /** One bit for each of the numbers up to the highest. */
  readonly bits: Uint32Array
}

/** Detects repeated messages by the numbers that their senders gave them. */
export class ReplayGuard {
  readonly #senders = new LRUCache<string, Seen>({ max: mostSenders })

  /** The highest number of a sender; 0 when it is not known. */
  highest(sender: string): number {
    return this.#senders.peek(sender)?.highest ?? 0
  }

  /** Returns false for a number that was seen before, or that is so far behind that it counts as seen. */
  isNew(sender: string, count: number): boolean {
    let seen = this.#senders.get(sender)
    if (seen === undefined) {
      seen = { highest: count, bits: new Uint32Array(seenCounts / 32) }
      this.#senders.set(sender, seen)
    }
    const { highest, bits } = seen
    if (count <= highest - seenCounts) return false
    if (count > highest) {
      // Skipped numbers were not seen.
      if (count - highest >= seenCounts) bits.fill(0)
      else for (let skipped = highest + 1; skipped < count; skipped += 1) mark(bits, skipped, false)
      seen.highest = count
      mark(bits, count, true)
      return true
    }
    const at = count % seenCounts
    if (((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0) return false
    mark(bits, count, true)
    return true
  }
}

function mark(bits: Uint32Array, count: number, isSeen: boolean): void {
  const at = count % seenCounts
  const bit = 1 << (at & 31)
  const word = bits[at >>> 5] ?? 0
  bits[at >>> 5] = isSeen ? word | bit : word & ~bit
}
