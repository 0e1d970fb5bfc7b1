import {
  createExchange,
  type EndReason,
  type ExchangeEvent,
  type Handler,
  type Host,
  type OpenExchange,
  type Outcome,
  type Outlet,
  relayView,
  type View,
} from '@junctor/exchange'
import type { Answer } from '@junctor/jsonrpc'
import { ListNode } from '@junctor/primitives'
import { callView, runHandler } from '@junctor/fabric'
import {
  type CallFrame,
  type CallOpening,
  CreditWindow,
  frameLimitMessage,
  type KnownContexts,
  printCallFrame,
  readCallFrame,
  readInquiry,
  readOpening,
} from '@junctor/fabric/wire'
import { JunctorError, wireError } from '@junctor/protocol'
import { FrameReader, FrameWriter, partHeadBytes } from './frame-parts.ts'
import { type NodeBus, nodeOfInbox, type InboxReceiver } from './node-bus.ts'

/** How long to wait for the opening of an accepted call, in milliseconds. */
const openMs = 5_000

/** What a call that is served here needs of its node. */
export interface CallHost {
  /** The contexts that other nodes name in their openings. */
  readonly contexts: KnownContexts
  /** The handler of a service; undefined when this node has none. */
  handlerOf(service: string): Handler | undefined
  /** Creates ids for asks, which only this node and the exchange know. */
  nextId(): string
  /** Epoch milliseconds. */
  now(): number
  /** Called with a frame of another node that this version cannot read. */
  unreadable(node: string, problem: string): void
  /** Called when the call has ended on both sides. */
  finished(call: InboundCall): void
}

/** A call from another node. Its handler has its own exchange, whose events are sent to the caller. */
export class InboundCall implements InboxReceiver, Outlet, Host {
  readonly forwards = true
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
  readonly #window = new CreditWindow()
  #asks: Set<string> | undefined = undefined
  #exchange: OpenExchange | undefined = undefined
  #view: View | undefined = undefined
  #closed = false
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
    this.#writer = new FrameWriter(bus.bodyBytes)
  }

  /** Undefined while the opening is not parsed. */
  get exchangeId(): string | undefined {
    return this.#exchange?.id
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
    this.#send({ kind: 'accepted', node, token: this.#token }, this.#bus.inbox(this.#token))
  }

  get view(): View {
    if (this.#view === undefined) throw new JunctorError('BUG', 'expected a view to be asked for when the call is open')
    return this.#view
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
    const exchange = this.#exchange
    try {
      if (exchange === undefined) {
        const opening = readOpening(arrival.text, this.#host.contexts)
        if (opening.kind === 'unreadable') this.#unread(opening.problem)
        else this.#open(opening.value)
        return
      }
      const frame = readCallFrame(arrival.text)
      if (frame.kind === 'read') this.#take(exchange, frame.value)
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
    if (this.#exchange === undefined) this.#stop()
    else this.end('disconnected')
  }

  /** Gives up a call whose opening does not arrive: the inquiry may have been repeated by another party. */
  sweep(now: number): void {
    if (this.#exchange !== undefined) return
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
    const exchange = this.#exchange
    if (exchange === undefined) return
    exchange.end(reason)
    for (const id of this.#asks ?? []) exchange.answer(id, goneAnswer(exchange))
    this.#stop()
  }

  /** Called when the connection was lost for a while: messages may be lost too. */
  check(): void {
    if (this.#token !== undefined) this.#mark(this.#bus.inbox(this.#token))
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    // An immediate outcome makes `accepted` unnecessary.
    if (event.kind !== 'outcome') this.accept()
    const bytes = this.#send(event)
    const last = event.kind === 'outcome' || event.kind === 'end'
    if (bytes === undefined) {
      if (last) this.#send({ kind: 'outcome', outcome: this.#tooLarge() })
      else this.#exchange?.settle(this.#tooLarge())
      return undefined
    }
    return last ? undefined : this.#window.sent(bytes)
  }

  // The host of the exchange. The caller's exchange sends its asks, and applies the timeouts.

  nextId(): string {
    return this.#host.nextId()
  }

  now(): number {
    return this.#host.now()
  }

  asked(id: string): void {
    this.#asks ??= new Set()
    this.#asks.add(id)
  }

  answered(id: string): void {
    this.#asks?.delete(id)
    this.#stopWhenIdle()
  }

  closed(): void {
    this.#closed = true
    this.#window.end()
    this.#stopWhenIdle()
  }

  #open(opening: CallOpening | undefined): void {
    if (opening === undefined) return this.#decline('unknown_context')
    const handler = this.#host.handlerOf(opening.service)
    if (handler === undefined) return this.#decline('refused')
    const { exchange: id, request, context, deadline, attempt, wantsProgress } = opening
    const exchange = createExchange({ id, request, context, deadline, attempt, wantsProgress }, this)
    this.#exchange = exchange
    this.#view = relayView(exchange)
    exchange.attach(this)
    runHandler(handler, exchange)
  }

  /** Declines the call: nothing was run, and no frame will follow. */
  #decline(kind: 'unknown_context' | 'refused'): void {
    this.#send({ kind })
    this.#stop()
  }

  #take(exchange: OpenExchange, frame: CallFrame): void {
    if (frame.kind === 'answer') exchange.answer(frame.id, frame.answer)
    else if (frame.kind === 'end') exchange.end(frame.reason)
    else if (frame.kind === 'taken') this.#window.taken(frame)
  }

  /** Sends a frame. Returns its size in bytes; undefined when it is too large. */
  #send(frame: CallFrame, reply?: string): number | undefined {
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

  #tooLarge(): Outcome {
    return { kind: 'error', error: wireError('too_large', this.view, { message: frameLimitMessage }) }
  }

  #stopWhenIdle(): void {
    if (this.#closed && !this.#asks?.size) this.#stop()
  }

  #stop(): void {
    this.#over = true
    if (this.#token !== undefined) this.#bus.forget(this.#token)
    this.#host.finished(this)
  }
}

function goneAnswer(exchange: OpenExchange): Answer {
  const message = 'The question was withdrawn: the node that asked it is gone'
  return { error: wireError('cancelled', callView(exchange.request, exchange), { message }) }
}
