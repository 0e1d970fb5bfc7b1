import type { Socket } from 'node:net'
import { PendingTimers } from './pending-timers.ts'
import { ToxicWriter } from './toxic-writer.ts'
import type { Toxics } from './toxics.ts'

/** One direction of a connection through the proxy, and what disturbs it. */
export interface ChaosPipeOptions {
  readonly from: Socket
  readonly to: Socket
  readonly toxics: Toxics
  /** Closes the connection. */
  readonly end: () => void
  /** Resets it. */
  readonly reset: () => void
}

/** How many bytes may wait in the pipe; above that the sender waits, as for a real network. */
const held = 256 * 1024

/** One direction of a connection: carries bytes from one socket to another, in order, one piece after the other. */
export class ChaosPipe {
  readonly #options: ChaosPipeOptions
  readonly #timers = new PendingTimers()
  readonly #writer: ToxicWriter
  readonly #queue: { readonly bytes: Buffer; readonly due: number }[] = []
  #toxics: Toxics
  #size = 0
  #ended = false
  #busy = false

  constructor(options: ChaosPipeOptions) {
    const { from, to, toxics } = options
    this.#options = options
    this.#toxics = toxics
    this.#writer = new ToxicWriter(to, this.#timers)
    from.on('data', (bytes: Buffer) => this.#take(bytes))
    from.on('end', () => {
      if (this.#toxics.timeout === undefined) this.#finish()
    })
    this.#start()
  }

  /** Applies these toxics from the next piece on. */
  set(toxics: Toxics): void {
    this.#toxics = toxics
    this.#start()
  }

  /** Discards waiting bytes. The code that opened the sockets closes them. */
  close(): void {
    this.#timers.clear()
  }

  /** Starts the toxics that work without any byte. */
  #start(): void {
    const { half_close: halfClose, timeout } = this.#toxics
    this.#writer.restart()
    if (halfClose !== undefined) this.#timers.later(halfClose.timeout, () => this.#finish())
    if (timeout !== undefined && timeout.timeout > 0) this.#timers.later(timeout.timeout, this.#options.end)
  }

  #take(bytes: Buffer): void {
    const { timeout, reset_peer: resetPeer, latency: late } = this.#toxics
    if (timeout !== undefined || this.#ended) return
    if (resetPeer !== undefined) return this.#timers.later(resetPeer.timeout, this.#options.reset)
    const { latency = 0, jitter = 0 } = late ?? {}
    this.#queue.push({ bytes, due: performance.now() + latency + (Math.random() * 2 - 1) * jitter })
    this.#size += bytes.length
    if (this.#size >= held) this.#options.from.pause()
    void this.#work()
  }

  #finish(): void {
    this.#ended = true
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    const { from, to, end } = this.#options
    for (let piece = this.#queue.shift(); piece !== undefined && !to.destroyed; piece = this.#queue.shift()) {
      const { bytes, due } = piece
      const wait = due - performance.now()
      // Sequential, which keeps the pieces in order.
      // oxlint-disable-next-line no-await-in-loop
      if (wait > 0) await this.#timers.pause(wait)
      // oxlint-disable-next-line no-await-in-loop
      const written = await this.#writer.write(bytes, this.#toxics)
      this.#size -= bytes.length
      if (this.#size < held) from.resume()
      if (written < bytes.length) end()
    }
    this.#busy = false
    if (this.#ended && !to.destroyed) to.end()
  }
}
