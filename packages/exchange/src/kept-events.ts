import type { AskEvent, OrdinaryEvent } from './event.ts'

/**
 * The number of notifications that are kept for a later reader. Above it the oldest is dropped. It is enough for a
 * burst of log messages and needs little memory.
 */
export const keptNotifications = 256

/** The number of chunks that are kept before their producer must wait. */
export const keptChunks = 64

/**
 * The number of chunks that are kept for a producer that does not wait. One more chunk makes its request fail, because
 * it would fill the memory.
 */
export const mostKeptChunks: number = 16 * keptChunks

/**
 * The events of an exchange without a reader, in order.
 *
 * Events are merged where possible: acks become one, and only the latest progress is kept. Of notifications the newest
 * {@link keptNotifications} are kept. Chunks, asks and withdrawals are never dropped; chunks make their producer wait.
 */
export class KeptEvents {
  readonly #events: OrdinaryEvent[] = []
  #notifications = 0
  #chunks = 0

  get size(): number {
    return this.#events.length
  }

  /** Whether a producer of chunks should wait. */
  get full(): boolean {
    return this.#chunks >= keptChunks
  }

  /** Whether a producer has not waited for far too long. */
  get overrun(): boolean {
    return this.#chunks > mostKeptChunks
  }

  /** Keeps an event. Returns false when the oldest notification was dropped for it. */
  add(event: OrdinaryEvent): boolean {
    switch (event.kind) {
      case 'ack':
        this.#mergeAck(event)
        return true
      case 'progress':
        this.#removeFirst('progress')
        break
      case 'chunk':
        this.#chunks += 1
        break
      case 'notification':
        this.#notifications += 1
        break
      case 'ask':
      case 'withdrawn':
        break
    }
    this.#events.push(event)
    if (this.#notifications <= keptNotifications) return true
    this.#removeFirst('notification')
    this.#notifications -= 1
    return false
  }

  /** Removes and returns the oldest event. */
  take(): OrdinaryEvent | undefined {
    const event = this.#events.shift()
    if (event?.kind === 'chunk') this.#chunks -= 1
    if (event?.kind === 'notification') this.#notifications -= 1
    return event
  }

  /** Removes an ask that need not be shown any more. */
  remove(ask: AskEvent): void {
    const at = this.#events.indexOf(ask)
    if (at !== -1) this.#events.splice(at, 1)
  }

  /** Inserts asks at the front, to show them again. */
  replay(asks: readonly AskEvent[]): void {
    for (const ask of asks) this.remove(ask)
    this.#events.unshift(...asks)
  }

  #removeFirst(kind: OrdinaryEvent['kind']): void {
    const at = this.#events.findIndex((event) => event.kind === kind)
    if (at !== -1) this.#events.splice(at, 1)
  }

  // Acks precede all other events, so a kept ack is the first event.
  #mergeAck(event: OrdinaryEvent & { readonly kind: 'ack' }): void {
    const first = this.#events[0]
    if (first?.kind !== 'ack') this.#events.unshift(event)
    else if (event.ack.info !== undefined) {
      this.#events[0] = { kind: 'ack', ack: { info: { ...first.ack.info, ...event.ack.info } } }
    }
  }
}
