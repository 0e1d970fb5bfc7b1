import type { CallTarget, Caught, Closer, FabricReadings } from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import { LinkedList } from '@junctor/primitives'
import { callView, isOfNode, nobodyThere } from '@junctor/fabric'
import type { Request } from '@junctor/jsonrpc'
import { subjectToken } from '@junctor/nats'
import { wireError } from '@junctor/protocol'
import type { Subscription } from '@nats-io/transport-node'
import { ContextNames } from './context-names.ts'
import type { KeyCheck } from './key-check.ts'
import { KnownContexts } from './known-contexts.ts'
import type { NodeBus } from './node-bus.ts'
import { type CallOwner, PlacedCall } from './placed-call.ts'
import { type CallHost, ServedCall } from './served-call.ts'

interface Holder {
  readonly handler: Handler
}

/** The calls from and to this node, and what it serves. */
export class NatsCalls implements CallHost, CallOwner {
  readonly now: () => number
  readonly names: ContextNames
  readonly contexts: KnownContexts = new KnownContexts()
  readonly #bus: NodeBus
  readonly #key: Pick<KeyCheck, 'whenMember'>
  readonly #clock: () => number
  readonly #caught: Caught
  readonly #placed = new LinkedList<PlacedCall>()
  readonly #served = new LinkedList<ServedCall>()
  readonly #holders = new Map<string, Holder[]>()
  readonly #listeners = new Set<Subscription>()
  #unaccepted: ServedCall[] = []
  #count = 0

  /**
   * @param key until a node has one of the cluster, nobody is to find it
   * @param now epoch milliseconds
   * @param clock milliseconds, never set back: for what is waited for
   */
  constructor(bus: NodeBus, key: Pick<KeyCheck, 'whenMember'>, now: () => number, clock: () => number, caught: Caught) {
    this.#caught = caught
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
    if (to.node === undefined && isOfNode(to.service)) return Promise.resolve(nobodyThere(to, request, exchange))
    if (exchange.ended !== undefined) {
      return Promise.resolve({ kind: 'error', error: wireError('backend_exited', callView(request, exchange)) })
    }
    const call = new PlacedCall(this.#bus, this, to, request, exchange, this.#clock())
    this.#placed.append(call.position)
    call.place()
    return call.outcome
  }

  /** Resolves when the others find it. */
  async serve(service: string, handler: Handler): Promise<Closer> {
    const holder = { handler }
    const holders = this.#holders.get(service)
    if (holders === undefined) this.#holders.set(service, [holder])
    else holders.push(holder)
    // Found by the node's own subject, which is listened to already.
    if (isOfNode(service)) return { close: async () => this.#remove(service, holder) }
    const subject = this.#bus.subjects.call(service)
    const listeners: Subscription[] = []
    const stop = this.#key.whenMember(() => {
      const hear = (body: Uint8Array, inbox: string): void => this.#begin(inbox)?.asks(body)
      const listener = this.#bus.listen(subject, hear, subjectToken(service))
      listeners.push(listener)
      this.#listeners.add(listener)
    })
    await this.#bus.flush()
    return {
      close: async () => {
        stop()
        for (const listener of listeners) this.#listeners.delete(listener)
        // What is on its way already is answered by the handler: others who hold the service will not see it.
        await Promise.all(listeners.map((listener) => this.#bus.drain(listener)))
        this.#remove(service, holder)
      },
    }
  }

  /** The nodes that calls are under way with. */
  get nodes(): ReadonlySet<string> {
    const nodes = new Set<string>()
    for (const { holder } of this.#placed.items()) if (holder !== undefined) nodes.add(holder)
    for (const { caller } of this.#served.items()) nodes.add(caller)
    return nodes
  }

  /** A node leaves: what it has not taken may be tried elsewhere. */
  leaving(node: string): void {
    for (const call of this.#placed.items()) if (call.holder === node) this.#each(call, (one) => one.untaken())
  }

  /** How many calls are under way to other nodes, and from them. */
  get readings(): Pick<FabricReadings, 'placed' | 'served'> {
    const { node } = this.#bus
    return {
      placed: this.#placed.items().filter(({ holder }) => holder !== node).length,
      served: this.#served.items().filter(({ caller }) => caller !== node).length,
    }
  }

  /** A node is gone: the calls to and from it end. */
  lost(node: string): void {
    for (const call of this.#placed.items()) if (call.holder === node) this.#each(call, lost)
    for (const call of this.#served.items()) if (call.caller === node) this.#each(call, lost)
  }

  /** The connection of a node was lost for a while, or that of this one: what was sent meanwhile may be lost. */
  check(node: string): void {
    const all = node === this.#bus.node
    for (const call of this.#placed.items()) if (all || call.holder === node) this.#each(call, check)
    for (const call of this.#served.items()) if (all || call.caller === node) this.#each(call, check)
  }

  /** Gives up calls that no holder has taken in time, and those that were taken and never opened. */
  sweep(): void {
    const now = this.#clock()
    for (const call of this.#placed.items()) this.#each(call, (one) => one.sweep(now))
    for (const call of this.#served.items()) this.#each(call, (one) => one.sweep(now))
  }

  /** Ends all calls, and serves nothing any more. */
  async leave(): Promise<void> {
    this.#holders.clear()
    for (const call of this.#placed.items()) this.#each(call, lost)
    for (const call of this.#served.items()) this.#each(call, (one) => one.end('shutdown'))
    await Promise.all([...this.#listeners].map((listener) => this.#bus.drain(listener)))
  }

  // What calls need of their node.

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

  over(call: PlacedCall): void {
    this.#placed.remove(call.position)
  }

  finished(call: ServedCall): void {
    this.#served.remove(call.position)
  }

  /** At the end of the turn in which they came: most of those that are over by then need not be accepted. */
  readonly #acceptAll = (): void => {
    const calls = this.#unaccepted
    this.#unaccepted = []
    for (const call of calls) this.#each(call, accept)
  }

  /** What goes wrong with one call goes on with the others. */
  #each<Call extends PlacedCall | ServedCall>(call: Call, act: (call: Call) => void): void {
    try {
      act(call)
    } catch (error) {
      this.#caught('message', error, { exchange: call.exchangeId })
    }
  }

  #begin(inbox: string): ServedCall | undefined {
    if (inbox === '') return undefined
    const call = new ServedCall(this.#bus, this, inbox, this.#clock())
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

const lost = (call: PlacedCall | ServedCall): void => call.lost()
const check = (call: PlacedCall | ServedCall): void => call.check()
const accept = (call: ServedCall): void => call.accept()
