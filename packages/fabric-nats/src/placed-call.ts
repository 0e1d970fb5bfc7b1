import type { AskEvent, EndListener, EndReason, Exchange, OrdinaryEvent, Outcome } from '@junctor/exchange'
import type { CallTarget } from '@junctor/contracts'
import { Place } from '@junctor/primitives'
import { callView, nobodyThere } from '@junctor/fabric'
import type { Request } from '@junctor/jsonrpc'
import { type Situation, wireError } from '@junctor/protocol'
import type { CallFrame } from './call-frame.ts'
import { type ContextNames, inFull } from './context-names.ts'
import { CreditReturn } from './credit.ts'
import { frameLimitMessage, FrameReader, FrameWriter } from './frame-parts.ts'
import type { NodeBus, Receiver } from './node-bus.ts'
import { printCallFrame, printInquiry, printOpening } from './print-call-frame.ts'
import { readCallFrame } from './read-call-frame.ts'

/** A holder that nobody knows yet and that has not said within this time that it has the call is taken for lost. */
const acceptMs = 2_000

/** How many holders of a service are asked to take a call before it is given up: one that leaves may say that it would. */
const mostAsked = 3

const nothing = new Uint8Array()

/** What a call that is placed from here needs of its node. */
export interface CallOwner {
  /** What this node names in its openings. */
  readonly names: ContextNames
  /** Nothing more is to come of the call. */
  over(call: PlacedCall): void
}

/** Where what the caller says of a call goes. Only a holder that is known is sent anything. */
type Way =
  /** The holder has not said yet where: what is said waits. */
  | { readonly kind: 'awaited'; readonly held: Uint8Array[] }
  /** To the inbox of the holder. */
  | { readonly kind: 'known'; readonly inbox: string }
  /** Nowhere: nothing more is to come of the call, on either side. */
  | { readonly kind: 'over' }

const over: Way = { kind: 'over' }

/** A call of this node to a holder elsewhere, whose events are played on the caller's exchange. */
export class PlacedCall implements Receiver, EndListener {
  readonly outcome: Promise<Outcome>
  /** The owner's own: where the call stands. */
  readonly position: Place<PlacedCall> = new Place<PlacedCall>(this)
  readonly #bus: NodeBus
  readonly #owner: CallOwner
  readonly #to: CallTarget
  readonly #request: Request
  readonly #exchange: Exchange
  readonly #resolve: (outcome: Outcome) => void
  #reader = new FrameReader()
  #writer: FrameWriter
  readonly #credit = new CreditReturn()
  #token: string
  readonly #placedAt: number
  #way: Way = { kind: 'awaited', held: [] }
  #holder: string | undefined
  #settled = false
  /** How often the call was placed. */
  #asked = 0
  /** The opening said all of its context. */
  #isFull = true
  /** The opening may have been lost with a connection. */
  #isDoubtful = false
  /** What takes an ask back from the caller's exchange, by the holder's ask id. */
  #asks: Map<string, AbortController> | undefined = undefined

  /** @param now milliseconds, on the clock of `sweep` */
  constructor(bus: NodeBus, owner: CallOwner, to: CallTarget, request: Request, exchange: Exchange, now: number) {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.outcome = promise
    this.#resolve = resolve
    this.#bus = bus
    this.#owner = owner
    this.#to = to
    this.#request = request
    this.#exchange = exchange
    this.#holder = to.node
    this.#placedAt = now
    this.#writer = new FrameWriter(bus.bodyBytes)
    this.#token = bus.expect(this)
  }

  get exchangeId(): string {
    return this.#exchange.id
  }

  /** Where the call is, as far as that is known. */
  get holder(): string | undefined {
    return this.#holder
  }

  place(): void {
    const { id, context, deadline, attempt, wantsProgress } = this.#exchange
    this.#asked += 1
    const { service, node } = this.#to
    const said = { service, exchange: id, request: this.#request, context, deadline, attempt, wantsProgress }
    // Whoever is to get it must be known, and not only that it is one of some.
    const told = node === undefined ? inFull : this.#owner.names.tell(context, node)
    this.#isFull = told.kind === 'full'
    const text = printOpening(said, told)
    const asked = node === undefined ? this.#writer.write(printInquiry(service)) : []
    const opening = this.#writer.write(text)
    if (asked === undefined || opening === undefined) {
      this.#fail('too_large', frameLimitMessage)
      this.#stop()
      return
    }
    const { subjects } = this.#bus
    const subject = node === undefined ? subjects.call(service) : subjects.node(node, 'call')
    const [first = nothing, ...others] = [...asked, ...opening]
    this.#way = { kind: 'awaited', held: others }
    if (this.#bus.publish(subject, first, this.#bus.inbox(this.#token))) this.#exchange.onEnd(this)
    else this.#refused()
  }

  receive(body: Uint8Array, reply: string): void {
    const arrival = this.#reader.read(body)
    if (arrival.kind === 'broken') {
      // A holder whose word that it has the call was lost hears in no other way that it is over.
      if (reply !== '' && this.#way.kind === 'awaited') this.#bus.publish(reply, nothing)
      this.lost()
    }
    if (arrival.kind === 'marked' && reply !== '') this.#mark()
    if (arrival.kind !== 'frame') return
    try {
      this.#take(readCallFrame(arrival.text), arrival.bytes)
    } catch {
      // A node of another version, say: nothing that it sends can be trusted to be understood.
      this.lost()
    }
  }

  /** Whoever got the opening knows nothing of it any more. What it still says goes to an inbox that is gone. */
  #placeAgain(): void {
    if (this.#settled) {
      this.#stop()
      return
    }
    this.#owner.names.forget(this.#exchange.context, this.#to.node ?? '')
    this.#holder = this.#to.node
    this.#bus.forget(this.#token)
    this.#token = this.#bus.expect(this)
    this.#reader = new FrameReader()
    this.#writer = new FrameWriter(this.#bus.bodyBytes)
    this.place()
  }

  /** The holder leaves. A call that it has not taken it never will. */
  untaken(): void {
    if (this.#way.kind === 'awaited') this.#refused()
  }

  /** Of a holder that had the call, a probe says better whether it is gone or only away for a moment. */
  nobody(): void {
    if (this.#way.kind === 'awaited') this.#refused()
  }

  #refused(): void {
    this.#settle(nobodyThere(this.#to, this.#request, this.#exchange))
    this.#stop()
  }

  /** The caller's exchange has ended. */
  ended(reason: EndReason): void {
    this.#send({ kind: 'end', reason })
    this.#fail('backend_exited')
  }

  /** The holder is gone, or what it sent. */
  lost(): void {
    this.#send({ kind: 'end', reason: 'disconnected' })
    this.#fail('backend_exited')
    this.#stop()
  }

  /** The connection was lost for a while: messages may have been, too. */
  check(): void {
    if (this.#way.kind === 'awaited') this.#isDoubtful = true
    else this.#mark(this.#bus.inbox(this.#token))
  }

  /** Gives up a call that no holder has taken in time. One that is named is probed: it may be slow. */
  sweep(now: number): void {
    const { node } = this.#to
    if (this.#way.kind !== 'awaited' || now - this.#placedAt < acceptMs) return
    // Nobody was sent more than the question who takes it.
    if (node === undefined) this.#refused()
    else if (this.#isDoubtful) this.lost()
  }

  #take(frame: CallFrame, bytes: number): void {
    switch (frame.kind) {
      case 'accepted':
        this.#accepted(frame.node, frame.token)
        break
      case 'refused':
        // Who was to take it leaves: another may be there.
        if (this.#to.node === undefined && this.#asked < mostAsked) this.#placeAgain()
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
        this.lost()
        break
      case 'ack':
      case 'progress':
      case 'chunk':
      case 'notification':
      case 'ask':
      case 'withdrawn':
        this.#play(frame, bytes)
        break
      case 'answer':
      case 'taken':
        break
      default:
        // An event of a version to come: it is passed over, and the room that it took is given back.
        this.#taken(bytes)
    }
  }

  #finished(outcome: Outcome): void {
    const isFirst = this.#way.kind === 'awaited'
    this.#settle(outcome)
    // When it is the first that comes it is the last as well: nobody waits for what is held.
    if (isFirst) this.#stop()
    else this.#stopWhenIdle()
  }

  #accepted(node: string, token: string): void {
    if (this.#way.kind !== 'awaited') return
    const { held } = this.#way
    const inbox = this.#bus.subjects.inbox(node, token)
    this.#holder = node
    this.#way = { kind: 'known', inbox }
    // With a reply: a holder that has given the call up meanwhile says so.
    for (const message of held) this.#bus.publish(inbox, message, this.#bus.inbox(this.#token))
    if (this.#settled) this.#stopWhenIdle()
    else this.#exchange.begun?.()
  }

  #play(frame: OrdinaryEvent, bytes: number): void {
    if (this.#settled) return
    let slow: Promise<void> | undefined = undefined
    switch (frame.kind) {
      case 'ack':
        this.#exchange.ack(frame.ack)
        break
      case 'progress':
        this.#exchange.progress(frame.progress)
        break
      case 'chunk':
        slow = this.#exchange.chunk(frame.data)
        break
      case 'notification':
        this.#exchange.notify(frame.notification)
        break
      case 'ask':
        void this.#ask(frame)
        break
      case 'withdrawn':
        this.#asks?.get(frame.id)?.abort(frame.reason)
        break
    }
    if (slow === undefined) this.#taken(bytes)
    else void slow.then(() => this.#taken(bytes))
  }

  #taken(bytes: number): void {
    if (this.#settled) return
    const credit = this.#credit.take(bytes)
    if (credit !== undefined) this.#send({ kind: 'taken', ...credit })
  }

  async #ask({ id, request, options }: AskEvent): Promise<void> {
    const controller = new AbortController()
    const asks = (this.#asks ??= new Map())
    asks.set(id, controller)
    const answer = await this.#exchange.ask(request, { ...options, signal: controller.signal })
    asks.delete(id)
    this.#send({ kind: 'answer', id, answer })
    if (this.#settled) this.#stopWhenIdle()
  }

  #send(frame: CallFrame): void {
    const way = this.#way
    if (way.kind === 'over') return
    for (const message of this.#writer.write(printCallFrame(frame)) ?? []) {
      if (way.kind === 'known') this.#bus.publish(way.inbox, message)
      else way.held.push(message)
    }
  }

  /** Who has seen less gives the call up; with a reply, it says so in return. */
  #mark(reply?: string): void {
    if (this.#way.kind === 'known') this.#bus.publish(this.#way.inbox, this.#writer.mark(), reply)
  }

  #fail(situation: Situation, message?: string): void {
    const facts = message === undefined ? {} : { message }
    this.#settle({ kind: 'error', error: wireError(situation, callView(this.#request, this.#exchange), facts) })
  }

  /** The outcome is known. Guessed asks may still be answered, and the holder may still have to be told of the end. */
  #settle(outcome: Outcome): void {
    if (this.#settled) return
    this.#settled = true
    this.#resolve(outcome)
    this.#stopWhenIdle()
  }

  #stopWhenIdle(): void {
    if (this.#way.kind !== 'awaited' && !this.#asks?.size) this.#stop()
  }

  #stop(): void {
    if (this.#way.kind === 'over') return
    this.#way = over
    this.#bus.forget(this.#token)
    for (const controller of this.#asks?.values() ?? []) controller.abort('the node that asked is gone')
    this.#asks = undefined
    this.#owner.over(this)
  }
}
