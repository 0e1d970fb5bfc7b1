import type { Credit } from './call-frame.ts'

/**
 * Bytes of one exchange that may be on their way at a time: 256 KiB. One frame may be larger by itself. How many frames
 * these are does not matter: over a link of half a second a bound of so many frames would be one of so many a second.
 */
export const windowBytes = 262_144

/** What each frame takes besides its text, in bytes: also of empty ones only so many are on their way. */
export const frameBytes = 64

/** What a sender may still send: core NATS has no flow control of its own. */
export class CreditWindow {
  #bytes = 0
  #room: PromiseWithResolvers<void> | undefined = undefined

  /** Counts a frame that was sent. A promise: wait for it before the next. */
  sent(bytes: number): Promise<void> | undefined {
    this.#bytes += bytes + frameBytes
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
    this.#bytes += bytes + frameBytes
    if (this.#bytes < windowBytes / 4) return undefined
    const credit = { bytes: this.#bytes }
    this.#bytes = 0
    return credit
  }
}
