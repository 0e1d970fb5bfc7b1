import type { Credit } from './call-frame.ts'

/** Frames of one exchange that may be on their way at a time. */
export const windowFrames = 64

/** Bytes of one exchange that may be on their way at a time: 256 KiB. One frame may be larger by itself. */
export const windowBytes = 262_144

/** What a sender may still send: core NATS has no flow control of its own. */
export class CreditWindow {
  #frames = 0
  #bytes = 0
  #room: PromiseWithResolvers<void> | undefined = undefined

  /** Counts a frame that was sent. A promise: wait for it before the next. */
  sent(bytes: number): Promise<void> | undefined {
    this.#frames += 1
    this.#bytes += bytes
    if (this.#open()) return undefined
    this.#room ??= Promise.withResolvers<void>()
    return this.#room.promise
  }

  taken({ frames, bytes }: Credit): void {
    this.#frames -= frames
    this.#bytes -= bytes
    if (this.#open()) this.end()
  }

  /** Nobody waits any more. */
  end(): void {
    this.#room?.resolve()
    this.#room = undefined
  }

  #open(): boolean {
    return this.#frames < windowFrames && this.#bytes < windowBytes
  }
}

/** What a receiver has taken and not told yet. It tells at a quarter of the window, so that a sender seldom waits. */
export class CreditReturn {
  #frames = 0
  #bytes = 0

  /** Counts a frame; the credit that is to be told now, if any. */
  take(bytes: number): Credit | undefined {
    this.#frames += 1
    this.#bytes += bytes
    if (this.#frames < windowFrames / 4 && this.#bytes < windowBytes / 4) return undefined
    const credit = { frames: this.#frames, bytes: this.#bytes }
    this.#frames = 0
    this.#bytes = 0
    return credit
  }
}
