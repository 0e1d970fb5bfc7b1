import { LRUCache } from 'lru-cache'

/** How far behind the highest count of its sender a message may come, in messages: NATS keeps those of a sender in order. */
export const seenCounts = 8_192

/** Senders that are remembered, 1 KiB for each. Those that were not heard for the longest time are forgotten first. */
const mostSenders = 4_096

interface Seen {
  highest: number
  /** A bit for each of the counts up to the highest. */
  readonly bits: Uint32Array
}

/** Tells messages that came before from those that did not, by the numbers that their senders gave them. */
export class SeenCounts {
  readonly #senders = new LRUCache<string, Seen>({ max: mostSenders })

  /** False: it came before, or so long after those that were sent later that it counts as such. */
  isNew(sender: string, count: number): boolean {
    let seen = this.#senders.get(sender)
    if (seen === undefined) {
      seen = { highest: count, bits: new Uint32Array(seenCounts / 32) }
      this.#senders.set(sender, seen)
    }
    const { highest, bits } = seen
    if (count <= highest - seenCounts) return false
    if (count > highest) {
      // What was skipped was not seen.
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
