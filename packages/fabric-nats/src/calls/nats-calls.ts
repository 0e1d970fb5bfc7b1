import type { CallTarget, ErrorReporter, Closer, FabricGauges, UnreadableReporter } from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import { keptOr, LinkedList } from '@junctor/primitives'
import { callView, isOfNode, noHolderOutcome } from '@junctor/fabric'
import { ContextNames, KnownContexts } from '@junctor/fabric/wire'
import type { Request } from '@junctor/jsonrpc'
import { type LastingSubscription, subjectToken } from '@junctor/nats'
import { wireError } from '@junctor/protocol'
import type { KeyCheck } from '../storage/key-check.ts'
import type { MembersReports } from '../members/nats-members.ts'
import type { NodeBus } from '../bus/node-bus.ts'
import { type CallOwner, OutboundCall } from './outbound-call.ts'
import { type CallHost, InboundCall } from './inbound-call.ts'

interface Holder {
  readonly handler: Handler
}

/** The calls from and to this node, and the services of this node. */
export class NatsCalls implements CallHost, CallOwner {
  readonly now: () => number
  readonly names: ContextNames
  readonly contexts: KnownContexts = new KnownContexts()
  readonly #bus: NodeBus
  readonly #key: Pick<KeyCheck, 'whenMember'>
  readonly #clock: () => number
  readonly #reportError: ErrorReporter
  readonly #unreadable: UnreadableReporter
  readonly #placed = new LinkedList<OutboundCall>()
  readonly #served = new LinkedList<InboundCall>()
  readonly #holders = new Map<string, Holder[]>()
  readonly #listeners = new Set<LastingSubscription>()
  #unaccepted: InboundCall[] = []
  #count = 0

  /**
   * @param key a node that is not a member of the cluster must not be found by others
   * @param now returns epoch milliseconds
   * @param clock returns milliseconds, monotonic: for timeouts
   */
  constructor(
    bus: NodeBus,
    key: Pick<KeyCheck, 'whenMember'>,
    now: () => number,
    clock: () => number,
    { reportError, unreadable }: MembersReports,
  ) {
    this.#reportError = reportError
    this.#unreadable = unreadable
    this.#bus = bus
    this.#key = key
    this.names = new ContextNames(bus.incarnation)
    this.now = now
    this.#clock = clock
    const listener = bus.listen(bus.subjects.node(bus.node, 'call'), (body, inbox) =>
      this.#begin(inbox)?.receive(body, ''),
    )
    this.#listeners.add(listener)
  }

  /** Never rejects. */
  call(to: CallTarget, request: Request, exchange: Exchange): Promise<Outcome> {
    if (to.node === undefined && isOfNode(to.service)) return Promise.resolve(noHolderOutcome(to, request, exchange))
    if (exchange.ended !== undefined) {
      return Promise.resolve({ kind: 'error', error: wireError('backend_exited', callView(request, exchange)) })
    }
    const call = new OutboundCall(this.#bus, this, to, request, exchange, this.#clock())
    this.#placed.append(call.position)
    call.place()
    return call.outcome
  }

  /** Resolves when other nodes can find the service. */
  async serve(service: string, handler: Handler): Promise<Closer> {
    const holder = { handler }
    keptOr(this.#holders, service, () => []).push(holder)
    // Reached by the node's own subject, which already has a subscription.
    if (isOfNode(service)) return { close: async () => this.#remove(service, holder) }
    const subject = this.#bus.subjects.call(service)
    const listeners: LastingSubscription[] = []
    const stop = this.#key.whenMember(() => {
      const onInquiry = (body: Uint8Array, inbox: string): void => this.#begin(inbox)?.asks(body)
      const listener = this.#bus.listen(subject, onInquiry, subjectToken(service))
      listeners.push(listener)
      this.#listeners.add(listener)
    })
    await this.#bus.flush()
    return {
      close: async () => {
        stop()
        for (const listener of listeners) this.#listeners.delete(listener)
        // The handler answers requests in transit: no other holder will receive them.
        await Promise.all(listeners.map((listener) => this.#bus.drain(listener)))
        this.#remove(service, holder)
      },
    }
  }

  /** The nodes with calls in flight to or from this one. */
  get nodes(): ReadonlySet<string> {
    const nodes = new Set<string>()
    for (const { holder } of this.#placed.items()) if (holder !== undefined) nodes.add(holder)
    for (const { caller } of this.#served.items()) nodes.add(caller)
    return nodes
  }

  /** Called when a node leaves: calls that it has not taken may go to another node. */
  leaving(node: string): void {
    for (const call of this.#placed.items()) if (call.holder === node) this.#each(call, (one) => one.untaken())
  }

  /** The number of calls in flight to other nodes, and from them. */
  get gauges(): Pick<FabricGauges, 'placed' | 'served'> {
    const { node } = this.#bus
    return {
      placed: this.#placed.items().filter(({ holder }) => holder !== node).length,
      served: this.#served.items().filter(({ caller }) => caller !== node).length,
    }
  }

  /** Called when a node is gone: ends the calls to and from it. */
  lost(node: string): void {
    for (const call of this.#placed.items()) if (call.holder === node) this.#each(call, lost)
    for (const call of this.#served.items()) if (call.caller === node) this.#each(call, lost)
  }

  /** Called when the connection of a node, or of this one, was lost for a while: messages may be lost. */
  check(node: string): void {
    const all = node === this.#bus.node
    for (const call of this.#placed.items()) if (all || call.holder === node) this.#each(call, check)
    for (const call of this.#served.items()) if (all || call.caller === node) this.#each(call, check)
  }

  /** Gives up calls that no holder has taken in time, and those that were taken but never opened. */
  sweep(isPresent: (node: string) => boolean): void {
    const now = this.#clock()
    for (const call of this.#placed.items()) this.#each(call, (one) => one.sweep(now, isPresent))
    for (const call of this.#served.items()) this.#each(call, (one) => one.sweep(now))
  }

  /** Ends all calls, and stops serving. */
  async leave(): Promise<void> {
    this.#holders.clear()
    for (const call of this.#placed.items()) this.#each(call, lost)
    for (const call of this.#served.items()) this.#each(call, (one) => one.end('shutdown'))
    await Promise.all([...this.#listeners].map((listener) => this.#bus.drain(listener)))
  }

  // The services of the node for its calls.

  handlerOf(service: string): Handler | undefined {
    const holders = this.#holders.get(service)
    const holder = holders?.shift()
    if (holder !== undefined) holders?.push(holder)
    return holder?.handler
  }

  nextId(): string {
    this.#count += 1
    return `inner-${this.#count.toString(36)}`
  }

  unreadable(node: string, problem: string): void {
    this.#unreadable('call', node, problem)
  }

  over(call: OutboundCall): void {
    this.#placed.remove(call.position)
  }

  finished(call: InboundCall): void {
    this.#served.remove(call.position)
  }

  /** Accepts calls at the end of the turn in which they arrived: most that are over by then need no `accepted`. */
  readonly #acceptAll = (): void => {
    const calls = this.#unaccepted
    this.#unaccepted = []
    for (const call of calls) this.#each(call, accept)
  }

  /** Acts on a call. An exception does not affect the other calls. */
  #each<Call extends OutboundCall | InboundCall>(call: Call, act: (call: Call) => void): void {
    try {
      act(call)
    } catch (error) {
      this.#reportError('message', error, { exchange: call.exchangeId })
    }
  }

  #begin(inbox: string): InboundCall | undefined {
    if (inbox === '') return undefined
    const call = new InboundCall(this.#bus, this, inbox, this.#clock())
    this.#served.append(call.position)
    if (this.#unaccepted.length === 0) setImmediate(this.#acceptAll)
    this.#unaccepted.push(call)
    return call
  }

  #remove(service: string, holder: Holder): void {
    const others = this.#holders.get(service)?.filter((other) => other !== holder) ?? []
    if (others.length > 0) this.#holders.set(service, others)
    else this.#holders.delete(service)
  }
}

const lost = (call: OutboundCall | InboundCall): void => call.lost()
const check = (call: OutboundCall | InboundCall): void => call.check()
const accept = (call: InboundCall): void => call.accept()
