import { Place } from '@junctor/primitives'
import type { Diversion, Sink, SinkOwner } from '@junctor/exchange'

/** Another place of a connection's transport, for one stream. */
export interface SideStream extends Diversion {
  send(text: string): Promise<void> | undefined
  /** What was sent still goes. */
  close(): void
}

/** Where the frames of a round go. */
export interface SinkTarget {
  /** A frame that is not the last. */
  frame(text: string): Promise<void> | undefined
  /** The last frame; empty when the round ends with nothing to say. */
  finish(text: string, sink: RoundSink): Promise<void> | undefined
  /** Opens another place for a round, which is told with `strand` when nobody listens there. */
  divert?(sink: RoundSink): SideStream | undefined
}

/** A place for the frames of one round on a connection that is its session. Nothing can be asked for again there. */
export class RoundSink implements Sink {
  owner: SinkOwner | undefined = undefined
  readonly resumable = false
  /** Where it stands among the answers of its connection. */
  readonly place: Place<RoundSink> = new Place<RoundSink>(this)
  readonly #target: SinkTarget
  #side: { readonly stream: SideStream; readonly over: (lost: boolean) => void } | undefined
  #over = false

  constructor(target: SinkTarget) {
    this.#target = target
  }

  /** The connection is open already. */
  open(): void {}

  send(text: string, last: boolean): Promise<void> | undefined {
    if (this.#over) return undefined
    if (!last) return this.#side === undefined ? this.#target.frame(text) : this.#side.stream.send(text)
    this.#over = true
    if (this.#side === undefined) return this.#target.finish(text, this)
    const slow = text === '' ? undefined : this.#side.stream.send(text)
    this.#leaveSide(false)
    void this.#target.finish('', this)
    return slow
  }

  divert(announce: (place: Diversion) => string, over: (lost: boolean) => void): Diversion | undefined {
    const stream = this.#over ? undefined : this.#target.divert?.(this)
    if (stream === undefined) return undefined
    void this.#target.frame(announce(stream))
    this.#side = { stream, over }
    return stream
  }

  /** Nobody listens in the place that it was diverted to. */
  strand(): void {
    if (this.#over) return
    this.#over = true
    this.#leaveSide(true)
    void this.#target.finish('', this)
  }

  /** The connection is gone, or waits no longer. */
  lose(): void {
    if (this.#over) return
    this.#over = true
    this.#leaveSide(false)
    this.owner?.lost()
  }

  #leaveSide(lost: boolean): void {
    this.#side?.stream.close()
    this.#side?.over(lost)
  }
}
