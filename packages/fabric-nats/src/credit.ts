import { mostKeptChunks } from '@junctor/exchange'
import type { Credit } from './call-frame.ts'

/** Bytes of one exchange that may be on their way at a time: 256 KiB. One frame may be larger by itself. */
export const windowBytes = 262_144

/**
 * What a frame takes of the window at least, in bytes. All that is on its way may have to be kept for a client that reads
 * slowly, and an exchange keeps so many chunks and no more: of small frames 1,024 are on their way. Fewer would be
 * too few over a link of half a second: so many for each round trip.
 */
export const leastFrameBytes: number = windowBytes / mostKeptChunks

/** What a sender may still send: core NATS has no flow control of its own. */
export class CreditWindow {
  #bytes = 0
  #room: PromiseWithResolvers<void> | undefined = undefined

  /** Counts a frame that was sent. A promise: wait for it before the next. */
  sent(bytes: number): Promise<void> | undefined {
    this.#bytes += Math.max(bytes, leastFrameBytes)
    if (this.#bytes < windowBytes) return undefined
    this.#room ??= Promise.withResolvers<void>()
    return this.#room.promise
  }

  taken({ bytes }: Credit): void {
    this.#bytes -= bytes
    if (this.#bytes < windowBytes) this.end()
  }

  /** Nobody waits any more. */
  end(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}

/** What a receiver has taken and not told yet. It tells at a quarter of the window, so that a sender seldom waits. */
export class CreditReturn {
  #bytes = 0

  /** Counts a frame; the credit that is to be told now, if any. */
  take(bytes: number): Credit | undefined {
    this.#bytes += Math.max(bytes, leastFrameBytes)
    if (this.#bytes < windowBytes / 4) return undefined
    const credit = { bytes: this.#bytes }
    this.#bytes = 0
    return credit
  }
}
