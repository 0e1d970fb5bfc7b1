import type { Exchange, Outcome, Sink, SinkOwner } from '@junctor/exchange'
import { emptyOutcome } from '../../shared/empty-outcome.ts'

/** One frame of a stream that a node keeps, as it sends the frame to the node that its client has reached. */
type RelayFrame =
  | { readonly open: string | null }
  | { readonly text: string; readonly last: boolean; readonly event: string | null }

/** A sink on the node that keeps a stream. It sends the frames as chunks of an exchange to the node of the reader. */
export class RelaySink implements Sink {
  owner: SinkOwner | undefined
  readonly resumable = true
  /** Resolves when the stream has ended or the reader is gone. */
  readonly done: Promise<Outcome>
  /** How many frames were sent. */
  sent = 0
  /** The event id of the last one. */
  lastEvent: string | undefined
  readonly #exchange: Exchange
  readonly #finish: () => void

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.done = promise
    this.#finish = () => resolve(emptyOutcome)
    exchange.onEnd({ ended: () => this.close() })
  }

  /** The reader is gone. */
  close(): void {
    this.owner?.lost()
    this.#finish()
  }

  open(eventId?: string): void {
    void this.#write({ open: eventId ?? null })
  }

  send(text: string, last: boolean, eventId?: string): Promise<void> | undefined {
    this.sent += 1
    this.lastEvent = eventId
    const written = this.#write({ text, last, event: eventId ?? null })
    if (last) this.#finish()
    return written
  }

  #write(frame: RelayFrame): Promise<void> | undefined {
    return this.#exchange.chunk(frame)
  }
}
