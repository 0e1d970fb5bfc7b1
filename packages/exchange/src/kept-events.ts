import { printPayload } from '@junctor/jsonrpc'
import type { AskEvent, NotificationBody, OrdinaryEvent } from './event.ts'
import { LostNotifications } from './lost-notifications.ts'

/**
 * How much is kept of the notifications of one request for a later reader, in characters of their text and
 * `notificationCost` for each. Above it the oldest are dropped. A program may write thousands of log lines at once, which
 * come before the reader has its turn: there is room for six thousand of a hundred characters.
 */
export const keptNotificationSize: number = 2 * 1024 * 1024

/** The number of chunks that are kept before their producer must wait. */
export const keptChunks = 64

/**
 * The number of chunks that are kept for a producer that does not wait. One more chunk makes its request fail, because
 * it would fill the memory.
 */
export const mostKeptChunks: number = 16 * keptChunks

/** An event that is kept. */
interface KeptEvent {
  readonly event: OrdinaryEvent
  /** What it counts for {@link keptNotificationSize}: nothing, unless it is a notification. */
  readonly size: number
}

/**
 * The events of an exchange without a reader, in order.
 *
 * Events are merged where possible: acks become one, and only the latest progress is kept. Of notifications the newest
 * are kept, up to {@link keptNotificationSize}, one at least. Chunks, asks and withdrawals are never dropped; chunks
 * make their producer wait.
 */
export class KeptEvents {
  readonly #events: KeptEvent[] = []
  #notifications = 0
  #notificationSize = 0
  #lost: LostNotifications | undefined
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

  /** Keeps an event. Returns how many of the oldest notifications were dropped for it. */
  add(event: OrdinaryEvent): number {
    let size = 0
    switch (event.kind) {
      case 'ack':
        this.#mergeAck(event)
        return 0
      case 'progress':
        this.#removeProgress()
        break
      case 'chunk':
        this.#chunks += 1
        break
      case 'notification':
        size = notificationSize(event.notification)
        this.#notifications += 1
        this.#notificationSize += size
        break
      case 'ask':
      case 'withdrawn':
      case 'task_started':
        break
    }
    this.#events.push({ event, size })
    let dropped = 0
    while (this.#notificationSize > keptNotificationSize && this.#notifications > 1) {
      this.#dropNotification()
      dropped += 1
    }
    return dropped
  }

  /** The notification that tells the client how many others it has lost. `undefined`: none. */
  get lossNotice(): NotificationBody | undefined {
    return this.#lost?.notice
  }

  /** Removes and returns the oldest event. */
  take(): OrdinaryEvent | undefined {
    const kept = this.#events.shift()
    if (kept?.event.kind === 'chunk') this.#chunks -= 1
    if (kept?.event.kind === 'notification') this.#forget(kept)
    return kept?.event
  }

  /** Removes an ask that need not be shown any more. */
  remove(ask: AskEvent): void {
    const at = this.#events.findIndex(({ event }) => event === ask)
    if (at !== -1) this.#events.splice(at, 1)
  }

  /** Inserts asks at the front, to show them again. */
  replay(asks: readonly AskEvent[]): void {
    for (const ask of asks) this.remove(ask)
    this.#events.unshift(...asks.map((event) => ({ event, size: 0 })))
  }

  #removeProgress(): void {
    const at = this.#events.findLastIndex(({ event }) => event.kind === 'progress')
    if (at !== -1) this.#events.splice(at, 1)
  }

  #dropNotification(): void {
    const at = this.#events.findIndex(({ event }) => event.kind === 'notification')
    const [kept] = this.#events.splice(at, 1)
    if (kept?.event.kind !== 'notification') return
    this.#forget(kept)
    this.#lost ??= new LostNotifications()
    this.#lost.add(kept.event.notification)
  }

  #forget({ size }: KeptEvent): void {
    this.#notifications -= 1
    this.#notificationSize -= size
  }

  // Acks precede all other events, so a kept ack is the first event.
  #mergeAck(event: OrdinaryEvent & { readonly kind: 'ack' }): void {
    const first = this.#events[0]?.event
    if (first?.kind !== 'ack') this.#events.unshift({ event, size: 0 })
    else if (event.ack.info !== undefined) {
      const ack = { info: { ...first.ack.info, ...event.ack.info } }
      this.#events[0] = { event: { kind: 'ack', ack }, size: 0 }
    }
  }
}

/** What a notification needs besides its text, in characters: small ones must not be free. */
const notificationCost = 256

/** The size of a notification in characters. One that cannot be printed has no text: writing it will fail. */
function notificationSize({ params }: NotificationBody): number {
  if (params === undefined) return notificationCost
  try {
    return notificationCost + printPayload(params).length
  } catch {
    return notificationCost
  }
}
