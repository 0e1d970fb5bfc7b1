import type { Sink, SinkOwner } from '@junctor/exchange'

interface Frame {
  readonly text: string
  readonly eventId: string | undefined
  readonly status: number | undefined
}

/** The start of every message. A text with another start describes the HTTP request: that it is queued. */
const messageStart = '{"jsonrpc":'

/**
 * One sink for all requests of a batch (2025-03-26): their responses are sent together as an array. When one request
 * streams, each response is sent as it arrives.
 */
export class BatchSink implements Sink, SinkOwner {
  readonly resumable: boolean
  readonly batched = true
  readonly #sink: Sink
  readonly #owners = new Set<SinkOwner>()
  #unanswered: number
  #streaming = false
  #frames: Frame[] = []

  /** @param unanswered how many of the batch's entries get a response */
  constructor(sink: Sink, unanswered: number) {
    this.resumable = sink.resumable
    this.#sink = sink
    this.#unanswered = unanswered
    sink.owner = this
  }

  /** Every request of the batch sets its owner, and all owners are notified. */
  set owner(owner: SinkOwner | undefined) {
    if (owner !== undefined) this.#owners.add(owner)
  }

  get owner(): SinkOwner | undefined {
    return this.#currentOwners().at(-1)
  }

  lost(): void {
    for (const owner of this.#currentOwners()) owner.lost()
  }

  waiting(): void {
    for (const owner of this.#currentOwners()) owner.waiting()
  }

  open(eventId?: string): void {
    if (this.#streaming) return
    this.#streaming = true
    this.#sink.open(eventId)
    for (const frame of this.#frames.splice(0)) void this.#sink.send(frame.text, false, frame.eventId)
  }

  send(text: string, last: boolean, eventId?: string, status?: number): Promise<void> | undefined {
    if (!last) this.open()
    else this.#unanswered -= 1
    const done = this.#unanswered === 0
    if (this.#streaming) return text === '' && !done ? undefined : this.#sink.send(text, done, eventId)
    if (text !== '') this.#frames.push({ text, eventId, status })
    return done ? this.#answer() : undefined
  }

  /** The current owners, copied: a call of an owner may add another one. */
  #currentOwners(): SinkOwner[] {
    return [...this.#owners]
  }

  /** The answer as one text: empty when no request of the batch has a response, status 202 when all are queued. */
  #answer(): Promise<void> | undefined {
    const frames = this.#frames
    const status = frames.length > 0 && frames.every((frame) => frame.status === 202) ? 202 : undefined
    const messages = frames.filter(({ text }) => text.startsWith(messageStart))
    if (messages.length === 0) return this.#sink.send(frames[0]?.text ?? '', true, undefined, status)
    return this.#sink.send(`[${messages.map(({ text }) => text).join(',')}]`, true, undefined, status)
  }
}
