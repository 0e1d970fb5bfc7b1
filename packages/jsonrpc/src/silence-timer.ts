/**
 * Fires once when nothing was heard for a time after its start. Hearing something sets no timer: the one that is set
 * looks when it fires.
 */
export class SilenceTimer {
  readonly #ms: number
  readonly #silent: () => void
  #heardAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `ms`: milliseconds; undefined for a timer that never fires. */
  constructor(ms: number | undefined, silent: () => void) {
    this.#ms = ms ?? Infinity
    this.#silent = silent
  }

  /** Begins to wait, also again after it has fired. */
  start(): void {
    if (this.#ms === Infinity) return
    this.#heardAt = performance.now()
    this.#wait(this.#ms)
  }

  /** Begins the silence anew. */
  heard(): void {
    if (this.#timer !== undefined) this.#heardAt = performance.now()
  }

  /** Ends it: it fires no more. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(this.#look, ms)
  }

  readonly #look = (): void => {
    const left = this.#heardAt + this.#ms - performance.now()
    // A timer may fire a little before its time.
    if (left >= 1) return this.#wait(left)
    this.#timer = undefined
    this.#silent()
  }
}

/** What waiting ends with when the silence was too long: the error that `AbortSignal.timeout` has, too. */
export function silenceError(ms: number | undefined): DOMException {
  return new DOMException(
    `Expected a response, an ack or a piece of a stream within ${ms} ms, got none`,
    'TimeoutError',
  )
}
