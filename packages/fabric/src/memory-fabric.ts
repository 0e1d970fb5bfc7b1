import { isDeepStrictEqual } from 'node:util'
import {
  type CallTarget,
  type Closer,
  type Control,
  type EntryLog,
  type Fabric,
  type FabricGauges,
  isNodeName,
  type LogBounds,
  type NodeChange,
  type Queue,
  type Seal,
  type Store,
} from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { JsonObject, JsonValue, Request } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import type { Member, MemoryBus } from './memory-bus.ts'
import { createMemoryLog } from './memory-log.ts'
import { createMemoryQueue } from './memory-queue.ts'
import { createNodeStore } from './memory-store.ts'
import { createNodeName } from './create-node-name.ts'
import { NodeWatches } from './node-watches.ts'
import { noHolderOutcome } from './call/no-holder-outcome.ts'

/**
 * Joins a bus: creates the fabric of one node of this process. A gateway with a single node has its own bus.
 *
 * @param node default: 8 random characters
 * @throws JunctorError `CONFIG_INVALID` when the name is invalid, or in use on this bus
 */
export function createMemoryFabric(bus: MemoryBus, node: string = createNodeName()): Fabric {
  if (!isNodeName(node)) {
    throw new JunctorError('CONFIG_INVALID', `expected a node name of [a-z0-9], got ${JSON.stringify(node)}`)
  }
  if (bus.members.has(node)) {
    throw new JunctorError('CONFIG_INVALID', `expected a node name that is not on the bus yet, got ${node}`)
  }
  const fabric = new MemoryFabric(bus, node)
  bus.join(fabric)
  return fabric
}

interface ControlHandler {
  readonly handle: (control: Control, from: string) => void
}

class MemoryFabric implements Fabric, Member {
  readonly node: string
  readonly mayRestoreDeleted = false
  readonly now: () => number
  readonly seal: Seal
  readonly #bus: MemoryBus
  #about: JsonObject = {}
  readonly #handlers = new Set<ControlHandler>()
  readonly #watches = new NodeWatches()
  #closed = false
  readonly #check = (): void => {
    if (this.#closed) throw new JunctorError('CLOSED', `node ${this.node} has left its fabric`)
  }

  constructor(bus: MemoryBus, node: string) {
    this.#bus = bus
    this.seal = bus.seal
    this.node = node
    this.now = bus.timer.now
  }

  store<T extends JsonValue>(name: string, ttlMs: number): Store<T> {
    return createNodeStore(this.#bus.records(name), ttlMs, this.#check)
  }

  log(name: string, bounds: LogBounds): EntryLog {
    return createMemoryLog(this.#bus.entries(name), bounds, this.#check)
  }

  queue<T extends JsonValue>(name: string, leaseMs: number): Queue<T> {
    return createMemoryQueue(this.#bus.items(name), { node: this.node, leaseMs }, this.#check)
  }

  async call(to: CallTarget, request: Request, exchange: Exchange): Promise<Outcome> {
    return this.#closed ? noHolderOutcome(to, request, exchange) : this.#bus.calls.run(this.node, to, request, exchange)
  }

  async serve(service: string, handler: Handler): Promise<Closer> {
    this.#check()
    const holder = { node: this.node, handler }
    this.#bus.services.add(service, holder)
    return { close: async () => this.#bus.services.remove(service, holder) }
  }

  async send(node: string, control: Control): Promise<boolean> {
    if (this.#closed) return false
    const { members } = this.#bus
    const text = JSON.stringify(control)
    const receivers = [...members.values()].filter((member) =>
      node === 'all' ? member !== this : member.node === node,
    )
    for (const receiver of receivers) receiver.deliver(text, this.node)
    return receivers.length > 0
  }

  onControl(handler: (control: Control, from: string) => void): Closer {
    const entry = { handle: handler }
    this.#handlers.add(entry)
    return {
      close: async () => {
        this.#handlers.delete(entry)
      },
    }
  }

  announce(about: JsonObject): void {
    if (this.#closed || isDeepStrictEqual(about, this.#about)) return
    // Nodes share values, never objects.
    this.#about = structuredClone(about)
    this.#bus.notify({ kind: 'changed', node: this.node, about: this.#about })
  }

  gauges(): FabricGauges {
    return {
      problem: this.#closed ? 'this node has left its fabric' : undefined,
      hasWrongKey: false,
      connected: !this.#closed,
      reconnects: 0,
      nodes: this.#bus.members.size,
      ...this.#bus.calls.gauges(this.node),
      clocksAheadMs: {},
      storageFailures: { store: 0, log: 0, queue: 0 },
      foreign: { sent: 0, repeated: 0, stored: 0 },
      roundTripMs: undefined,
    }
  }

  /** Does nothing: nodes of one process never lose their connection. */
  onReconnect(): () => void {
    return () => {}
  }

  async *nodes(signal: AbortSignal): AsyncGenerator<NodeChange, void> {
    if (signal.aborted || this.#closed) return
    const members = Array.from(this.#bus.members.values(), ({ node, about }) => [node, about] as const)
    yield* this.#watches.follow(members, signal)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#handlers.clear()
    this.#watches.end()
    this.#bus.leave(this.node)
  }

  // Called by other nodes of the bus.

  deliver(control: string, from: string): void {
    queueMicrotask(() => {
      for (const entry of this.#handlers) this.#receive(entry, JSON.parse(control) as Control, from)
    })
  }

  /** Calls a handler. An exception does not prevent the calls of the others. */
  #receive({ handle }: ControlHandler, control: Control, from: string): void {
    try {
      handle(control, from)
    } catch (error) {
      this.#bus.reportError('control', error, { from, kind: control.kind })
    }
  }

  get about(): JsonObject {
    return this.#about
  }

  changed(change: NodeChange): void {
    this.#watches.notify(change)
  }
}
