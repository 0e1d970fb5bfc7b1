/** How long a peer may be silent, and what is done then: first `ask`, which sends a ping, later `gone`. */
export interface PeerWatchOptions {
  /** The silence after which the peer is pinged, in milliseconds. */
  readonly keepAliveMs: number
  /** The silence after which the peer is treated as gone, in milliseconds. */
  readonly stalledMs: number
  ask(): void
  gone(): void
  /** Called with an error that `ask` or `gone` throws. */
  failed(error: unknown): void
}

/**
 * Detects a peer that is gone: a connection whose other end lost power or network looks like an idle connection. A
 * received message sets a flag and starts no timer.
 */
export class PeerWatch {
  readonly #options: PeerWatchOptions
  readonly #timer: ReturnType<typeof setInterval>
  #hasReceived = true
  #silentMs = 0

  constructor(options: PeerWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), options.keepAliveMs)
  }

  /** Records that the peer has sent something. */
  received(): void {
    this.#hasReceived = true
  }

  /** Ends the watch. The peer is not judged again. */
  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { keepAliveMs, stalledMs } = this.#options
    this.#silentMs = this.#hasReceived ? 0 : this.#silentMs + keepAliveMs
    this.#hasReceived = false
    try {
      if (this.#silentMs >= stalledMs) this.#options.gone()
      else this.#options.ask()
    } catch (error) {
      this.#options.failed(error)
    }
  }
}
