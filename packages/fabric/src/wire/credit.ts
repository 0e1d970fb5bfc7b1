import { mostKeptChunks } from '@junctor/exchange'
import { SharedWait } from '@junctor/primitives'
import type { Credit } from './call-frame.ts'

/** How many bytes of one exchange may be in transit: 256 KiB. A single frame may be larger. */
export const windowBytes = 262_144

/**
 * The minimum that a frame counts in the window, in bytes. All frames in transit may have to be buffered for a slow
 * client, and an exchange buffers a limited number of chunks: so 1,024 small frames may be in transit. A smaller number
 * would limit the throughput of a link with half a second of latency too much.
 */
export const leastFrameBytes: number = windowBytes / mostKeptChunks

/** How much a sender may still send: core NATS has no flow control. */
export class CreditWindow {
  #bytes = 0
  readonly #room = new SharedWait()

  /** Counts a sent frame. When it returns a promise, wait for it before the next frame. */
  sent(bytes: number): Promise<void> | undefined {
    this.#bytes += Math.max(bytes, leastFrameBytes)
    return this.#bytes < windowBytes ? undefined : this.#room.wait()
  }

  /** Counts what the reader has taken. */
  taken({ bytes }: Credit): void {
    this.#bytes -= bytes
    if (this.#bytes < windowBytes) this.end()
  }

  /** Releases a waiting sender. */
  end(): void {
    this.#room.end()
  }
}

/** Collects credit for taken frames. It is returned at a quarter of the window, so that a sender seldom waits. */
export class CreditReturn {
  #bytes = 0

  /** Counts a frame. Returns the credit to send now, if any. */
  take(bytes: number): Credit | undefined {
    this.#bytes += Math.max(bytes, leastFrameBytes)
    if (this.#bytes < windowBytes / 4) return undefined
    const credit = { bytes: this.#bytes }
    this.#bytes = 0
    return credit
  }
}
