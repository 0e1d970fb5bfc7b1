import type { Sink, SinkOwner } from '@junctor/exchange'

interface Frame {
  readonly text: string
  readonly eventId: string | undefined
}

/**
 * One sink for all requests of a batch (2025-03-26): their responses go out together as an array, unless one of them
 * streams, and then each as it comes.
 */
export class BatchSink implements Sink, SinkOwner {
  readonly resumable: boolean
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

  /** Every request of the batch sets its owner, and all of them are told what happens. */
  set owner(owner: SinkOwner | undefined) {
    if (owner !== undefined) this.#owners.add(owner)
  }

  get owner(): SinkOwner | undefined {
    return this.#told().at(-1)
  }

  lost(): void {
    for (const owner of this.#told()) owner.lost()
  }

  waiting(): void {
    for (const owner of this.#told()) owner.waiting()
  }

  open(eventId?: string): void {
    if (this.#streaming) return
    this.#streaming = true
    this.#sink.open(eventId)
    for (const frame of this.#frames.splice(0)) void this.#sink.send(frame.text, false, frame.eventId)
  }

  send(text: string, last: boolean, eventId?: string): Promise<void> | undefined {
    if (!last) this.open()
    else this.#unanswered -= 1
    const done = this.#unanswered === 0
    if (this.#streaming) return text === '' && !done ? undefined : this.#sink.send(text, done, eventId)
    if (text !== '') this.#frames.push({ text, eventId })
    return done ? this.#sink.send(this.#array(), true) : undefined
  }

  /** Those who are owners now: being told may make one more of them. */
  #told(): SinkOwner[] {
    return [...this.#owners]
  }

  /** The answer as one text: empty when no request of the batch has anything to say. */
  #array(): string {
    if (this.#frames.length === 0) return ''
    return `[${this.#frames.map(({ text }) => text).join(',')}]`
  }
}
