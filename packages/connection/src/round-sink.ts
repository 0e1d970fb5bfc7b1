import { ListNode } from '@junctor/primitives'
import type { Redirection, Sink, SinkOwner } from '@junctor/exchange'

/** Another place of a connection's transport, for one stream. */
export interface SideStream extends Redirection {
  /** Sends one message. If it returns a promise, wait for it before the next one. */
  send(text: string): Promise<void> | undefined
  /** Closes the stream. Texts that were sent before are still delivered. */
  close(): void
}

/** The target of the frames of a round. */
export interface SinkTarget {
  /** Sends a frame that is not the last. */
  frame(text: string): Promise<void> | undefined
  /** Sends the last frame. The text is empty when the round ends without an answer. */
  finish(text: string, sink: RoundSink): Promise<void> | undefined
  /** Opens another place for a round. The target calls `strand` on the sink when that place has no listener. */
  redirect?(sink: RoundSink): SideStream | undefined
}

/** The sink of one round on a connection that is its session. Frames are not stored, so they cannot be replayed. */
export class RoundSink implements Sink {
  owner: SinkOwner | undefined = undefined
  readonly resumable = false
  /** The position among the open requests of its connection. */
  readonly place: ListNode<RoundSink> = new ListNode<RoundSink>(this)
  readonly #target: SinkTarget
  #side: { readonly stream: SideStream; readonly over: (lost: boolean) => void } | undefined
  #over = false

  constructor(target: SinkTarget) {
    this.#target = target
  }

  /** Does nothing: the connection is already open. */
  open(): void {}

  send(text: string, last: boolean): Promise<void> | undefined {
    if (this.#over) return undefined
    if (!last) return this.#side === undefined ? this.#target.frame(text) : this.#side.stream.send(text)
    this.#over = true
    if (this.#side === undefined) return this.#target.finish(text, this)
    const slow = text === '' ? undefined : this.#side.stream.send(text)
    this.#leaveSide(false)
    // A connection that closes waits for its open rounds, and what is sent there may still wait for its listener.
    if (slow === undefined) void this.#target.finish('', this)
    else void slow.then(() => this.#target.finish('', this))
    return slow
  }

  redirect(announce: (place: Redirection) => string, over: (lost: boolean) => void): Redirection | undefined {
    const stream = this.#over ? undefined : this.#target.redirect?.(this)
    if (stream === undefined) return undefined
    void this.#target.frame(announce(stream))
    this.#side = { stream, over }
    return stream
  }

  /** Called when no listener is in the place that the stream was redirected to. */
  strand(): void {
    if (this.#over) return
    this.#over = true
    this.#leaveSide(true)
    void this.#target.finish('', this)
  }

  /** Called when the connection is gone, or no longer waits. */
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
