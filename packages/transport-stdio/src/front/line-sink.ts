import { Place, type Sink, type SinkOwner } from '@junctor/exchange'

/** Where the frames of a sink go. */
export interface SinkTarget {
  /** A frame that is not the last. */
  frame(text: string): Promise<void> | undefined
  /** The last frame; empty when the round ends with nothing to say. */
  finish(text: string, sink: LineSink): Promise<void> | undefined
}

/** A place for the frames of one round on a connection of lines. Nothing can be asked for again here. */
export class LineSink implements Sink {
  owner: SinkOwner | undefined = undefined
  readonly resumable = false
  /** Where it stands among the answers of its connection. */
  readonly place: Place<LineSink> = new Place<LineSink>(this)
  readonly #target: SinkTarget
  #over = false

  constructor(target: SinkTarget) {
    this.#target = target
  }

  /** Lines need no opening. */
  open(): void {}

  send(text: string, last: boolean): Promise<void> | undefined {
    if (this.#over) return undefined
    if (!last) return this.#target.frame(text)
    this.#over = true
    return this.#target.finish(text, this)
  }

  /** The connection is gone, or waits no longer. */
  lose(): void {
    if (this.#over) return
    this.#over = true
    this.owner?.lost()
  }
}
