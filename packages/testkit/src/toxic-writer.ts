import type { Socket } from 'node:net'
import type { PendingTimers } from './pending-timers.ts'
import type { Toxics } from './toxics.ts'

/** Writes pieces to a socket, one after the other, as slowly as the toxics require and no more than they allow. */
export class ToxicWriter {
  readonly #to: Socket
  readonly #timers: PendingTimers
  /** Bytes since the toxics were set. */
  #passed = 0

  constructor(to: Socket, timers: PendingTimers) {
    this.#to = to
    this.#timers = timers
  }

  /** Called when the toxics change: counts the passed bytes from zero. */
  restart(): void {
    this.#passed = 0
  }

  /** Writes a piece, or the part of it that may still pass. Returns the number of bytes. */
  async write(piece: Buffer, toxics: Toxics): Promise<number> {
    const { slicer, bandwidth } = toxics
    const bytes = this.#limited(piece, toxics)
    const step = slicer?.averageSize ?? (bandwidth === undefined ? bytes.length : Math.max(1, bandwidth.rate * 10))
    for (let start = 0; start < bytes.length && !this.#to.destroyed; start += step) {
      const slice = bytes.subarray(start, start + step)
      if (bandwidth !== undefined) await this.#timers.pause(slice.length / bandwidth.rate)
      if (slicer !== undefined && start > 0) await this.#timers.pause(slicer.delay)
      if (!this.#to.destroyed && !this.#to.write(slice)) await this.#drained()
    }
    return bytes.length
  }

  #limited(bytes: Buffer, { limit_data: limit }: Toxics): Buffer {
    if (limit === undefined) return bytes
    const rest = bytes.subarray(0, Math.max(0, limit.bytes - this.#passed))
    this.#passed += rest.length
    return rest
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#to.once('drain', resolve)
      this.#to.once('close', resolve)
    })
  }
}
