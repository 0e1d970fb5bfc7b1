/**
 * Calls back once when nothing was received for a time. A received message sets no timer: the existing timer checks the
 * time when it fires.
 */
export class SilenceTimer {
  readonly #ms: number
  readonly #silent: () => void
  #lastActivityAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param ms milliseconds; undefined for a timer that never fires */
  constructor(ms: number | undefined, silent: () => void) {
    this.#ms = ms ?? Infinity
    this.#silent = silent
  }

  /** Starts to wait, also again after it has fired. */
  start(): void {
    if (this.#ms === Infinity) return
    this.#lastActivityAt = performance.now()
    this.#wait(this.#ms)
  }

  /** Restarts the time of silence. */
  restart(): void {
    if (this.#timer !== undefined) this.#lastActivityAt = performance.now()
  }

  /** Stops the timer: it does not fire any more. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(this.#look, ms)
  }

  readonly #look = (): void => {
    const left = this.#lastActivityAt + this.#ms - performance.now()
    // A timer may fire slightly early.
    if (left >= 1) return this.#wait(left)
    this.#timer = undefined
    this.#silent()
  }
}

/** Returns the error of a wait that ended by silence. `AbortSignal.timeout` uses the same error class. */
export function silenceError(ms: number | undefined): DOMException {
  return new DOMException(
    `Expected a response, an ack or a piece of a stream within ${ms} ms, got none`,
    'TimeoutError',
  )
}
