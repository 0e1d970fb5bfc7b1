import type { AskEvent, OrdinaryEvent } from './event.ts'

/** Notifications that are kept for a reader to come. Beyond it the oldest goes: enough for a log burst, little memory. */
export const keptNotifications = 256

/** Chunks that are kept before their producer is told to wait. */
export const keptChunks = 64

/** Chunks that are kept of a producer that does not wait. One more, and its request fails: it would fill the memory. */
export const mostKeptChunks: number = 16 * keptChunks

/**
 * The events of an exchange that nobody reads just now, in order.
 *
 * What can be told in fewer events is: acks become one, of progress the latest is kept. Of notifications the newest
 * {@link keptNotifications} are kept. Chunks, asks and withdrawals are never dropped; the first stop their producer.
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

  /** Keeps an event. False: the oldest notification had to go for it. */
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

  /** The oldest event, no longer kept. */
  take(): OrdinaryEvent | undefined {
    const event = this.#events.shift()
    if (event?.kind === 'chunk') this.#chunks -= 1
    if (event?.kind === 'notification') this.#notifications -= 1
    return event
  }

  /** Forgets an ask that need not be shown any more. */
  remove(ask: AskEvent): void {
    const at = this.#events.indexOf(ask)
    if (at !== -1) this.#events.splice(at, 1)
  }

  /** Puts asks in front that are to be shown again. */
  replay(asks: readonly AskEvent[]): void {
    for (const ask of asks) this.remove(ask)
    this.#events.unshift(...asks)
  }

  #removeFirst(kind: OrdinaryEvent['kind']): void {
    const at = this.#events.findIndex((event) => event.kind === kind)
    if (at !== -1) this.#events.splice(at, 1)
  }

  // Acks come before everything else, so a kept one is the first.
  #mergeAck(event: OrdinaryEvent & { readonly kind: 'ack' }): void {
    const first = this.#events[0]
    if (first?.kind !== 'ack') this.#events.unshift(event)
    else if (event.ack.info !== undefined) {
      this.#events[0] = { kind: 'ack', ack: { info: { ...first.ack.info, ...event.ack.info } } }
    }
  }
}
