import type { EndReason, ExchangeEvent, Handler, Host } from '@junctor/exchange'
import { ListNode } from '@junctor/primitives'
import { HolderSide, type WayToCaller } from '@junctor/fabric'
import {
  type CallFrame,
  type CallOpening,
  frameLimitMessages,
  type KnownContexts,
  printCallFrame,
  readCallFrame,
  readInquiry,
  readOpening,
} from '@junctor/fabric/wire'
import { FrameReader, FrameWriter, partHeadBytes } from './frame-parts.ts'
import { type NodeBus, nodeOfInbox, type InboxReceiver } from '../bus/node-bus.ts'

/** How long to wait for the opening of an accepted call, in milliseconds. */
const openMs = 5_000

/** What a call that is served here needs of its node. */
export interface CallHost extends Pick<Host, 'nextId' | 'now'> {
  /** The contexts that other nodes name in their openings. */
  readonly contexts: KnownContexts
  /** The handler of a service; undefined when this node has none. */
  handlerOf(service: string): Handler | undefined
  /** Called with a frame of another node that this version cannot read. */
  unreadable(node: string, problem: string): void
  /** Called when the call has ended on both sides. */
  finished(call: InboundCall): void
}

/** A call from another node. */
export class InboundCall implements InboxReceiver, WayToCaller {
  readonly tooLarge: string = frameLimitMessages.nodes
  /** Set by the host: the place of the call in its list. */
  readonly position: ListNode<InboundCall> = new ListNode<InboundCall>(this)
  readonly #bus: NodeBus
  readonly #host: CallHost
  readonly #inbox: string
  /** When a part of the opening arrived last, by the clock of `sweep`. */
  #since: number
  #hasReceived = false
  /** The name of this node's inbox for the call, once it was sent to the caller. */
  #token: string | undefined = undefined
  readonly #reader = new FrameReader()
  readonly #writer: FrameWriter
  /** Undefined while the opening is not parsed. */
  #side: HolderSide | undefined = undefined
  #over = false

  /**
   * @param inbox of the caller: the reply subject of the opening
   * @param now milliseconds, on the clock of `sweep`
   */
  constructor(bus: NodeBus, host: CallHost, inbox: string, now: number) {
    this.#since = now
    this.#bus = bus
    this.#host = host
    this.#inbox = inbox
    this.#writer = new FrameWriter(bus.partBytes)
  }

  /** Undefined while the opening is not parsed. */
  get exchangeId(): string | undefined {
    return this.#side?.exchangeId
  }

  /** The node that placed the call. */
  get caller(): string {
    return nodeOfInbox(this.#inbox)
  }

  /** Sends `accepted` to the caller, unless it was sent, or the call is over. */
  accept(): void {
    if (this.#token !== undefined || this.#over) return
    const { node } = this.#bus
    this.#token = this.#bus.expect(this)
    // With a reply subject: a caller that has given up, or is gone, reports that.
    this.#sendFrame({ kind: 'accepted', node, token: this.#token }, this.#bus.inbox(this.#token))
  }

  /** Handles an inquiry. The caller sends the opening to the node that accepts. */
  asks(body: Uint8Array): void {
    const arrival = this.#reader.read(body)
    if (arrival.kind !== 'frame') return this.lost()
    const inquiry = readInquiry(arrival.text)
    if (inquiry.kind === 'unreadable') return this.#unread(inquiry.problem)
    if (this.#host.handlerOf(inquiry.value.service) === undefined) this.#decline('refused')
  }

  receive(body: Uint8Array, reply: string): void {
    this.#hasReceived = true
    const arrival = this.#reader.read(body)
    if (arrival.kind === 'broken') this.lost()
    if (arrival.kind === 'marked' && reply !== '') this.#mark()
    if (arrival.kind !== 'frame') return
    const side = this.#side
    try {
      if (side === undefined) {
        const opening = readOpening(arrival.text, this.#host.contexts)
        if (opening.kind === 'unreadable') this.#unread(opening.problem)
        else this.#open(opening.value)
        return
      }
      const frame = readCallFrame(arrival.text)
      if (frame.kind === 'read') side.take(frame.value)
      else if (frame.kind === 'other') this.#host.unreadable(this.caller, frame.problem)
      else this.#unread(frame.problem)
    } catch {
      this.lost()
    }
  }

  /** For example a node of another version: none of its messages can be relied on. */
  #unread(problem: string): void {
    this.#host.unreadable(this.caller, problem)
    this.lost()
  }

  /** Ignored: a probe decides better whether the caller is gone or only away for a moment. */
  noSubscriber(): void {}

  /** Called when the caller, or a message of it, is lost. */
  lost(): void {
    if (this.#side === undefined) this.#stop()
    else this.end('disconnected')
  }

  /** Gives up a call whose opening does not arrive: the inquiry may have been repeated by another party. */
  sweep(now: number): void {
    if (this.#side !== undefined) return
    if (this.#hasReceived) this.#since = now
    this.#hasReceived = false
    if (now - this.#since >= openMs) this.#stop()
  }

  /**
   * Ends the handler's exchange, and the asks that would outlive it. A call whose opening has not arrived yet is
   * declined when it arrives, and nothing is sent before: the call may run on another node, if only its inquiry was
   * repeated.
   */
  end(reason: EndReason): void {
    const side = this.#side
    if (side === undefined) return
    side.end(reason)
    side.cancelAsks('The question was withdrawn: the node that asked it is gone')
    this.#stop()
  }

  /** Called when the connection was lost for a while: messages may be lost too. */
  check(): void {
    if (this.#token !== undefined) this.#mark(this.#bus.inbox(this.#token))
  }

  send(event: ExchangeEvent): number | undefined {
    // An immediate outcome makes `accepted` unnecessary.
    if (event.kind !== 'outcome') this.accept()
    return this.#sendFrame(event)
  }

  idle(): void {
    this.#stop()
  }

  #open(opening: CallOpening | undefined): void {
    if (opening === undefined) return this.#decline('unknown_context')
    const handler = this.#host.handlerOf(opening.service)
    if (handler === undefined) return this.#decline('refused')
    this.#side = new HolderSide(this, this.#host, opening)
    this.#side.run(handler)
  }

  /** Declines the call: nothing was run, and no frame will follow. */
  #decline(kind: 'unknown_context' | 'refused'): void {
    this.#sendFrame({ kind })
    this.#stop()
  }

  /** Sends a frame. Returns its size in bytes; undefined when it is too large. */
  #sendFrame(frame: CallFrame, reply?: string): number | undefined {
    const messages = this.#writer.write(printCallFrame(frame))
    if (messages === undefined) return undefined
    let bytes = 0
    for (const message of messages) {
      bytes += message.length - partHeadBytes
      this.#bus.publish(this.#inbox, message, reply)
    }
    return bytes
  }

  /**
   * Sends a mark. A receiver that has missed messages gives the call up; with a reply subject it answers with a mark.
   */
  #mark(reply?: string): void {
    this.#bus.publish(this.#inbox, this.#writer.mark(), reply)
  }

  #stop(): void {
    this.#over = true
    if (this.#token !== undefined) this.#bus.forget(this.#token)
    this.#host.finished(this)
  }
}
