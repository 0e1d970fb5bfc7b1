import { Place } from '../linked-list.ts'
import type { Sink, SinkOwner } from '../sink.ts'

/** Where the frames of a round go. */
export interface SinkTarget {
  /** A frame that is not the last. */
  frame(text: string): Promise<void> | undefined
  /** The last frame; empty when the round ends with nothing to say. */
  finish(text: string, sink: RoundSink): Promise<void> | undefined
}

/** A place for the frames of one round on a connection that is its session. Nothing can be asked for again there. */
export class RoundSink implements Sink {
  owner: SinkOwner | undefined = undefined
  readonly resumable = false
  /** Where it stands among the answers of its connection. */
  readonly place: Place<RoundSink> = new Place<RoundSink>(this)
  readonly #target: SinkTarget
  #over = false

  constructor(target: SinkTarget) {
    this.#target = target
  }

  /** The connection is open already. */
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
