export interface PeerWatchOptions {
  /** Silence after which the peer is asked for a sign of life, in milliseconds. */
  readonly keepAliveMs: number
  /** Silence after which it is taken to be gone, in milliseconds. */
  readonly stalledMs: number
  ask(): void
  gone(): void
  /** Told of what these two throw. */
  failed(error: unknown): void
}

/**
 * Notices a peer that is no longer there: a connection whose other end has lost power or network looks like one on
 * which nothing happens. What is heard costs a flag, not a timer.
 */
export class PeerWatch {
  readonly #options: PeerWatchOptions
  readonly #timer: ReturnType<typeof setInterval>
  #heard = true
  #silentMs = 0

  constructor(options: PeerWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), options.keepAliveMs)
  }

  /** The peer has given a sign of life. */
  heard(): void {
    this.#heard = true
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { keepAliveMs, stalledMs } = this.#options
    this.#silentMs = this.#heard ? 0 : this.#silentMs + keepAliveMs
    this.#heard = false
    try {
      if (this.#silentMs >= stalledMs) this.#options.gone()
      else this.#options.ask()
    } catch (error) {
      this.#options.failed(error)
    }
  }
}
