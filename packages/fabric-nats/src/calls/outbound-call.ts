import type { EndListener, EndReason, Exchange, Outcome } from '@junctor/exchange'
import type { CallTarget } from '@junctor/contracts'
import { ListNode } from '@junctor/primitives'
import { CallerSide, type WayToHolder } from '@junctor/fabric'
import {
  type CallFrame,
  type ContextNames,
  frameLimitMessages,
  inFull,
  printCallFrame,
  printInquiry,
  printOpening,
  readCallFrame,
} from '@junctor/fabric/wire'
import type { Request } from '@junctor/jsonrpc'
import { FrameReader, FrameWriter } from './frame-parts.ts'
import type { NodeBus, InboxReceiver } from '../bus/node-bus.ts'

/** A holder that has not accepted the call within this time counts as lost, unless it is known to be present. */
const acceptMs = 2_000

/**
 * How many holders of a service are asked before a call is given up: one that leaves, or has stopped, may still receive
 * inquiries.
 */
const mostAsked = 3

const nothing = new Uint8Array()

/** What a call from here needs of its node. */
export interface CallOwner {
  /** The names of contexts in this node's openings. */
  readonly names: ContextNames
  /** Called with a frame of another node that this version cannot read. */
  unreadable(node: string, problem: string): void
  /** Called when the call has ended on both sides. */
  over(call: OutboundCall): void
}

/** Where the caller's frames go. They are sent only to a known holder. */
type Way =
  /** The holder's inbox is not known yet: frames are buffered. */
  | { readonly kind: 'awaited'; readonly held: Uint8Array[] }
  /** The holder's inbox is known. */
  | { readonly kind: 'known'; readonly inbox: string }
  /** The call has ended on both sides. */
  | { readonly kind: 'over' }

const over: Way = { kind: 'over' }

/** A call of this node to a holder on another node. */
export class OutboundCall implements InboxReceiver, WayToHolder, EndListener {
  /** Set by the owner: the place of the call in its list. */
  readonly position: ListNode<OutboundCall> = new ListNode<OutboundCall>(this)
  readonly #bus: NodeBus
  readonly #owner: CallOwner
  readonly #to: CallTarget
  readonly #exchange: Exchange
  readonly #side: CallerSide
  #reader = new FrameReader()
  #writer: FrameWriter
  #token: string
  #askedAt: number
  #way: Way = { kind: 'awaited', held: [] }
  #holder: string | undefined
  /** How often the call was sent. */
  #asked = 0
  /** Whether the opening contained the whole context. */
  #isFull = true
  /** Whether the opening may have been lost with a connection. */
  #isDoubtful = false
  /** Whether this side has ended the call, and the holder's last event is still to come: guessed asks may precede it. */
  #awaitsLast = false

  /** @param now milliseconds, on the clock of `sweep` */
  constructor(bus: NodeBus, owner: CallOwner, to: CallTarget, request: Request, exchange: Exchange, now: number) {
    this.#bus = bus
    this.#owner = owner
    this.#to = to
    this.#exchange = exchange
    this.#side = new CallerSide(this, request, exchange)
    this.#holder = to.node
    this.#askedAt = now
    this.#writer = new FrameWriter(bus.partBytes)
    this.#token = bus.expect(this)
  }

  get outcome(): Promise<Outcome> {
    return this.#side.outcome
  }

  get exchangeId(): string {
    return this.#exchange.id
  }

  /** The node that has the call, if it is known. */
  get holder(): string | undefined {
    return this.#holder
  }

  place(): void {
    const { context } = this.#exchange
    this.#asked += 1
    const { service, node } = this.#to
    // The context may be replaced by its name only for a known node, not for any member of a group.
    const sent = node === undefined ? inFull : this.#owner.names.send(context, node)
    this.#isFull = sent.kind === 'full'
    const text = printOpening(this.#side.opening(service), sent)
    const asked = node === undefined ? this.#writer.write(printInquiry(service)) : []
    const frames = this.#writer.write(text)
    if (asked === undefined || frames === undefined) {
      this.#side.fail('too_large', frameLimitMessages.nodes)
      this.#stop()
      return
    }
    const { subjects } = this.#bus
    const subject = node === undefined ? subjects.call(service) : subjects.node(node, 'call')
    const [first = nothing, ...others] = [...asked, ...frames]
    this.#way = { kind: 'awaited', held: others }
    if (this.#bus.publish(subject, first, this.#bus.inbox(this.#token))) this.#exchange.onEnd(this)
    else this.#refused()
  }

  receive(body: Uint8Array, reply: string): void {
    const arrival = this.#reader.read(body)
    if (arrival.kind === 'broken') {
      // A holder whose `accepted` was lost has no other way to learn that the call is over.
      if (reply !== '' && this.#way.kind === 'awaited') this.#bus.publish(reply, nothing)
      this.lost()
    }
    if (arrival.kind === 'marked' && reply !== '') this.#mark()
    if (arrival.kind !== 'frame') return
    const frame = readCallFrame(arrival.text)
    if (frame.kind !== 'read') this.#owner.unreadable(this.#holder ?? this.#to.service, frame.problem)
    try {
      if (frame.kind === 'read') this.#take(frame.value, arrival.bytes)
      // An event of a later version: it is ignored, and its credit is returned.
      else if (frame.kind === 'other') this.#side.taken(arrival.bytes)
      // For example a node of another version: none of its messages can be relied on.
      else this.lost()
    } catch {
      this.lost()
    }
  }

  /**
   * Sends the call again, because the receiver of the opening no longer knows it. Its late frames go to a closed inbox.
   */
  #placeAgain(): void {
    if (this.#side.settled) {
      this.#stop()
      return
    }
    this.#owner.names.forget(this.#exchange.context, this.#to.node ?? '')
    this.#holder = this.#to.node
    this.#bus.forget(this.#token)
    this.#token = this.#bus.expect(this)
    this.#reader = new FrameReader()
    this.#writer = new FrameWriter(this.#bus.partBytes)
    this.place()
  }

  /** Called when the holder leaves. It never takes a call that it has not taken yet. */
  untaken(): void {
    if (this.#way.kind === 'awaited') this.#refused()
  }

  /** If a holder already had the call, a probe decides better whether it is gone or only away for a moment. */
  noSubscriber(): void {
    if (this.#way.kind === 'awaited') this.#refused()
    else if (this.#awaitsLast) this.#stop()
  }

  #refused(): void {
    this.#side.failWithoutHolder(this.#to)
    this.#stop()
  }

  /** Called when the caller's exchange has ended. */
  ended(reason: EndReason): void {
    this.#awaitsLast = true
    this.send({ kind: 'end', reason })
    this.#side.fail('backend_exited')
  }

  /** Called when the holder, or a message of it, is lost. */
  lost(): void {
    this.send({ kind: 'end', reason: 'disconnected' })
    this.#side.failAsCut()
    this.#stop()
  }

  /** Called when the connection was lost for a while: messages may be lost too. */
  check(): void {
    if (this.#way.kind === 'awaited') this.#isDoubtful = true
    else this.#mark(this.#bus.inbox(this.#token))
  }

  /**
   * Asks another holder when the asked one has not taken the call in time. A named holder that is present is probed
   * instead: it may be slow.
   */
  sweep(now: number, isPresent: (node: string) => boolean): void {
    const { node } = this.#to
    if (this.#way.kind !== 'awaited' || now - this.#askedAt < acceptMs) return
    this.#askedAt = now
    // Only the inquiry was sent.
    if (node === undefined) this.#askAnother()
    else if (this.#isDoubtful || !isPresent(node)) this.lost()
  }

  #askAnother(): void {
    if (this.#asked < mostAsked) this.#placeAgain()
    else this.#refused()
  }

  #take(frame: CallFrame, bytes: number): void {
    switch (frame.kind) {
      case 'accepted':
        this.#accepted(frame.node, frame.token)
        break
      case 'refused':
        // The holder leaves: there may be another one.
        if (this.#to.node === undefined) this.#askAnother()
        else this.#refused()
        break
      case 'unknown_context':
        if (this.#isFull) this.lost()
        else this.#placeAgain()
        break
      case 'outcome':
        this.#finished(frame.outcome)
        break
      case 'end':
        // After an end of this side it is the echo: guessed asks may still be answered.
        if (this.#side.settled) this.#tookLast()
        else this.lost()
        break
      case 'ack':
      case 'progress':
      case 'chunk':
      case 'notification':
      case 'ask':
      case 'withdrawn':
      case 'task_started':
        this.#side.apply(frame, bytes)
        break
      case 'answer':
      case 'taken':
        break
    }
  }

  #finished(outcome: Outcome): void {
    const isFirst = this.#way.kind === 'awaited'
    this.#side.settle(outcome)
    // If the outcome is the first frame, it is also the last: buffered frames are not needed.
    if (isFirst) this.#stop()
    else this.#tookLast()
  }

  #tookLast(): void {
    this.#awaitsLast = false
    if (this.#side.isIdle) this.#stop()
  }

  #accepted(node: string, token: string): void {
    if (this.#way.kind !== 'awaited') return
    const { held } = this.#way
    const inbox = this.#bus.subjects.inbox(node, token)
    this.#holder = node
    this.#way = { kind: 'known', inbox }
    // With a reply subject: a holder that has given the call up meanwhile reports that.
    for (const message of held) this.#bus.publish(inbox, message, this.#bus.inbox(this.#token))
    if (this.#side.isIdle) this.idle()
    else if (!this.#side.settled) this.#exchange.begun?.()
  }

  send(frame: CallFrame): void {
    const way = this.#way
    if (way.kind === 'over') return
    for (const message of this.#writer.write(printCallFrame(frame)) ?? []) {
      if (way.kind === 'known') this.#bus.publish(way.inbox, message)
      else way.held.push(message)
    }
  }

  /** A holder that is not known yet may still need the end. */
  idle(): void {
    if (this.#way.kind !== 'awaited' && !this.#awaitsLast) this.#stop()
  }

  /**
   * Sends a mark. A receiver that has missed messages gives the call up; with a reply subject it answers with a mark.
   */
  #mark(reply?: string): void {
    if (this.#way.kind === 'known') this.#bus.publish(this.#way.inbox, this.#writer.mark(), reply)
  }

  #stop(): void {
    if (this.#way.kind === 'over') return
    this.#way = over
    this.#bus.forget(this.#token)
    this.#side.withdrawAsks('the node that asked is gone')
    this.#owner.over(this)
  }
}
