import type { OpenAsk } from './open-ask.ts'

/**
 * The open asks of one exchange, and the time in which it had any for the client. The deadline does not count this time.
 */
export class OpenAsks {
  readonly #asks = new Map<string, OpenAsk>()
  readonly #now: () => number
  /** How many of them are for the client. */
  #waiting = 0
  #pastMs = 0
  #since = 0

  /** @param now returns epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Milliseconds in which at least one ask for the client was open. */
  get openMs(): number {
    return this.#waiting === 0 ? this.#pastMs : this.#pastMs + this.#now() - this.#since
  }

  add(ask: OpenAsk): void {
    if (ask.isForClient && this.#waiting++ === 0) this.#since = this.#now()
    this.#asks.set(ask.event.id, ask)
  }

  get(id: string): OpenAsk | undefined {
    return this.#asks.get(id)
  }

  /** Removes an ask. Returns false when it was not open. */
  remove(ask: OpenAsk): boolean {
    if (!this.#asks.delete(ask.event.id)) return false
    if (ask.isForClient && --this.#waiting === 0) this.#pastMs += this.#now() - this.#since
    return true
  }

  /** Returns the open asks, oldest first. */
  all(): readonly OpenAsk[] {
    return [...this.#asks.values()]
  }
}
