import { getHeapStatistics } from 'node:v8'

/** The part of the memory of the process that bodies may have which are being read. */
const partOfMemory = 1 / 4

/** The bytes of each body that are not counted: large bodies do not keep out usual ones. */
const freeBytes = 16 * 1024

/** How much of the bodies that are being read is in memory: each has a bound, and so has the number of connections. */
export class BodyRoom {
  readonly #most: number
  #used = 0

  /** @param most the bytes of all of them */
  constructor(most: number = getHeapStatistics().heap_size_limit * partOfMemory) {
    this.#most = most
  }

  /** Takes room for a body that grows. Returns false, and takes nothing, when there is none. */
  grow(from: number, to: number): boolean {
    const more = counted(to) - counted(from)
    if (more > 0 && this.#used + more > this.#most) return false
    this.#used += more
    return true
  }

  /** Gives back the room of a body of this length. */
  leave(length: number): void {
    this.#used -= counted(length)
  }
}

function counted(length: number): number {
  return Math.max(0, length - freeBytes)
}
