import type { Sink, SinkOwner } from '@junctor/exchange'

/** A reader of a stream that keeps the frames and can be slow. */
export class StreamReader implements Sink {
  owner: SinkOwner | undefined
  readonly resumable: boolean
  readonly texts: string[] = []
  lastEvent: string | undefined
  ended = false
  /** Set while it takes no frames. */
  #slow: PromiseWithResolvers<void> | undefined

  constructor(resumable = true) {
    this.resumable = resumable
  }

  /** The event ids with which it was opened. */
  readonly places: (string | undefined)[] = []

  open(eventId?: string): void {
    this.places.push(eventId)
  }

  send(text: string, last: boolean, eventId?: string): Promise<void> | undefined {
    if (this.ended) throw new Error('A frame after the last one')
    if (text !== '') this.texts.push(text)
    this.lastEvent = eventId ?? this.lastEvent
    this.ended = last
    return this.#slow?.promise
  }

  tire(): void {
    this.#slow ??= Promise.withResolvers<void>()
  }

  async recover(): Promise<void> {
    this.#slow?.resolve()
    this.#slow = undefined
    await Promise.resolve()
  }
}
