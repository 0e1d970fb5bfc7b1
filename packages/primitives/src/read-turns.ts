/** The bytes of one peer after which other work gets its turn. */
const readAtOnce = 64 * 1024

/**
 * Counts what is read of one peer. A peer may send without end, and libuv would continue to read it for long within one turn
 * of the event loop: its reader pauses now and then until the next turn.
 */
export class ReadTurns {
  #bytes = 0

  /** Whether the reader should pause after these bytes. */
  isOver(bytes: number): boolean {
    this.#bytes += bytes
    if (this.#bytes < readAtOnce) return false
    this.#bytes = 0
    return true
  }
}
