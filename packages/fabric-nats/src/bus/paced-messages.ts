import { keptOr } from '@junctor/primitives'
import type { OutgoingMessage } from './batch-messages.ts'

/** Smaller messages are sent at once, in bytes: they are announcements, probes, calls and most answers. */
const smallBytes = 16_384

/** The node confirms the messages of so many bytes together, 128 KiB. */
const confirmBytes = 131_072

/** How many bytes to a node may be in transit at first, at least, and at most. */
const windowBytes = 524_288
const leastWindowBytes = 262_144
const mostWindowBytes = 2_097_152

/** After a confirmation that took less, more bytes may be in transit, in milliseconds. */
const quickMs = 500

/** After one that took longer, fewer may: small messages of other calls wait behind them. */
const slowMs = 1_000

/** Without a confirmation for so long, in milliseconds, the others are taken for lost. */
const lostMs = 5_000

/** How paced messages are sent. */
export interface PacedWay {
  readonly send: (message: OutgoingMessage) => void
  /** Asks the node for a confirmation, after what was sent to it. Returns a function that stops waiting for it. */
  readonly ask: (node: string, confirmed: () => void) => () => void
  /** Called when nothing for the node waits or is in transit. */
  readonly idle: (node: string) => void
}

/**
 * Sends large messages to one node in amounts that its link can carry, so that small messages come between them: all
 * share one connection to the server, at both nodes. Messages with the same subject stay in order.
 */
export class PacedMessages {
  readonly #node: string
  readonly #way: PacedWay
  /** The messages that wait, by their subject: the subjects take turns. */
  readonly #waiting = new Map<string, OutgoingMessage[]>()
  readonly #asked = new Set<() => void>()
  #window = windowBytes
  /** The bytes that were sent, and are not confirmed yet. */
  #inTransit = 0
  /** The bytes in transit whose confirmation was not asked for yet. */
  #unasked = 0
  #timer: NodeJS.Timeout | undefined = undefined
  #isOpen = true

  constructor(node: string, way: PacedWay) {
    this.#node = node
    this.#way = way
  }

  /** Whether messages of a subject wait, so that its next one must wait too. */
  hasWaiting(subject: string): boolean {
    return this.#waiting.has(subject)
  }

  /** Sends a message, now or after others. */
  add(message: OutgoingMessage): void {
    keptOr(this.#waiting, message.subject, () => []).push(message)
    // A message that only waits must not put off what frees the others.
    if (this.#maySend) this.#sendMore()
  }

  /** Called when messages in transit may be lost: the others no longer wait for them. */
  reset(): void {
    for (const forget of this.#asked) forget()
    this.#asked.clear()
    this.#inTransit = 0
    this.#unasked = 0
    this.#sendMore()
  }

  /** Sends everything now, and from now on. */
  close(): void {
    this.#isOpen = false
    this.reset()
  }

  get #maySend(): boolean {
    return !this.#isOpen || this.#inTransit < this.#window
  }

  #sendMore(): void {
    while (this.#waiting.size > 0 && this.#maySend) this.#sendNext()
    clearTimeout(this.#timer)
    if (!this.#isOpen || this.#inTransit === 0) this.#way.idle(this.#node)
    else this.#timer = setTimeout(() => this.reset(), lostMs)
  }

  #sendNext(): void {
    for (const [subject, waiting] of this.#waiting) {
      const message = waiting.shift()
      this.#waiting.delete(subject)
      if (waiting.length > 0) this.#waiting.set(subject, waiting)
      if (message !== undefined) this.#send(message)
      return
    }
  }

  #send(message: OutgoingMessage): void {
    this.#way.send(message)
    this.#inTransit += message.body.length
    this.#unasked += message.body.length
    if (this.#isOpen && this.#unasked >= confirmBytes) this.#ask()
  }

  #ask(): void {
    const bytes = this.#unasked
    const askedAt = performance.now()
    this.#unasked = 0
    const forget = this.#way.ask(this.#node, () => {
      this.#asked.delete(forget)
      this.#inTransit -= bytes
      this.#window = nextWindow(this.#window, bytes, performance.now() - askedAt)
      this.#sendMore()
    })
    this.#asked.add(forget)
  }
}

/** Whether a message is paced. */
export function isLarge({ body }: OutgoingMessage): boolean {
  return body.length >= smallBytes
}

/** How many bytes may be in transit after a confirmation of some bytes that took so long. */
export function nextWindow(window: number, bytes: number, tookMs: number): number {
  if (tookMs < quickMs) return Math.min(window + bytes, mostWindowBytes)
  return tookMs > slowMs ? Math.max(window - bytes, leastWindowBytes) : window
}
