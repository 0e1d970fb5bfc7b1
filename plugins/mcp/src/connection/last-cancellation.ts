import { setTimeout } from 'node:timers/promises'

/** How long a server has to act on a cancellation before its connection is closed, in milliseconds. */
const actMs = 500

/**
 * The last cancellation on a connection. A link is often closed right after it, because its caller is gone. Servers stop at
 * the end of their input, and some then drop what they have not done yet: the cancelled call is never told.
 */
export class LastCancellation {
  #at = -Infinity

  /** Called when a cancellation was sent. */
  sent(): void {
    this.#at = performance.now()
  }

  /** Resolves when the server has had time to act on it; immediately when there was none. */
  async over(): Promise<void> {
    const leftMs = this.#at + actMs - performance.now()
    if (leftMs > 0) await setTimeout(leftMs)
  }
}
