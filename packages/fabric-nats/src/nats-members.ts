import { isDeepStrictEqual } from 'node:util'
import type { Caught, NodeChange } from '@junctor/contracts'
import { NodeWatches } from '@junctor/fabric'
import type { JsonObject } from '@junctor/jsonrpc'
import type { ClockSkews } from './clock-skews.ts'
import type { NodeBus } from './node-bus.ts'
import { aliveEveryMs, NodeTable, silentMs } from './node-table.ts'
import { Probe } from './probe.ts'

/** Nodes that calls are under way with are looked for this often, so that a lost one is noticed within 2 s. */
const probeEveryMs = 500

/** When this node was cut off, so were others perhaps: so long they have to come back, in milliseconds. */
const comeBackMs = 5_000

/** What a node says of itself to all. */
interface Alive {
  readonly node: string
  /** Differs each time a node of this name is started. */
  readonly incarnation: string
  readonly about: JsonObject
  /** What time it is there, in epoch milliseconds. */
  readonly at: number
  /** It says goodbye. */
  readonly leaves?: true
  /** Its connection was lost for a while. */
  readonly back?: true
}

/** Told of what happens to nodes. */
export interface MembersOwner {
  /** The nodes that are to be looked for. */
  readonly nodes: ReadonlySet<string>
  /** A node says that it leaves. It has said before what it has taken, and takes nothing any more. */
  leaving(node: string): void
  /** A node has left. */
  lost(node: string): void
  /** Messages to and from this node may have been lost. */
  check(node: string): void
  /** Time has passed. */
  sweep(): void
}

const nothing = new Uint8Array()

/** Who is there: nodes say so every 2 s, and are probed while calls are under way with them. */
export class NatsMembers {
  readonly #bus: NodeBus
  readonly #skews: ClockSkews
  readonly #clock: () => number
  readonly #owner: MembersOwner
  readonly #caught: Caught
  readonly #table = new NodeTable()
  readonly #watches = new NodeWatches()
  readonly #probes = new Map<string, string>()
  #about: JsonObject = {}
  #timer: NodeJS.Timeout | undefined = undefined
  #saidAt = -Infinity
  #tickedAt: number
  /** When anything was heard, this node's own words included. */
  #heardAt: number
  /** When the connection of this node was there again. */
  #backAt = -Infinity

  /**
   * @param clock milliseconds, never set back
   */
  constructor(bus: NodeBus, skews: ClockSkews, clock: () => number, owner: MembersOwner, caught: Caught) {
    this.#caught = caught
    this.#bus = bus
    this.#skews = skews
    this.#clock = clock
    this.#owner = owner
    this.#tickedAt = clock()
    this.#heardAt = clock()
    bus.listen(bus.subjects.all('alive'), (body) => this.#hear(body))
    bus.listen(bus.subjects.node(bus.node, 'probe'), (_body, reply) => {
      if (reply !== '') bus.publish(reply, nothing)
    })
  }

  /** How many there are, this one included. */
  get size(): number {
    return this.#table.size + 1
  }

  /** Says that this node is there, from now on. */
  join(): void {
    this.#timer = setInterval(this.#tick, probeEveryMs)
    this.#say()
  }

  /** Says to all what this node is, from now on. */
  announce(about: JsonObject): void {
    if (isDeepStrictEqual(about, this.#about)) return
    this.#about = structuredClone(about)
    this.#watches.tell({ kind: 'changed', node: this.#bus.node, about: this.#about })
    this.#say()
  }

  /** The connection of this node was lost for a while. */
  back(): void {
    this.#backAt = this.#clock()
    // Those that were sent while it was lost have gone out now, all at once.
    this.#probe(new Set())
    this.#table.refresh(this.#backAt)
    this.#publish({ back: true })
    this.#owner.check(this.#bus.node)
  }

  /** Says goodbye. */
  leave(): void {
    clearInterval(this.#timer)
    this.#watches.end()
    this.#publish({ leaves: true })
  }

  /** As `Fabric.nodes`. */
  watch(signal: AbortSignal): AsyncGenerator<NodeChange, void> {
    return this.#watches.follow([[this.#bus.node, this.#about], ...this.#table.nodes], signal)
  }

  readonly #tick = (): void => {
    try {
      this.#look()
    } catch (error) {
      this.#caught('timer', error)
    }
  }

  #look(): void {
    const now = this.#clock()
    const wasAway = now - this.#tickedAt > aliveEveryMs
    this.#tickedAt = now
    if (now - this.#saidAt >= aliveEveryMs - probeEveryMs / 2) this.#say()
    if (wasAway) {
      // This process was stopped for a while, or had no processor: what was said meanwhile, also by itself, is not read
      // yet, and may not be at the next look either. From now on silence counts.
      this.#heardAt = now
      this.#table.refresh(now)
    } else {
      this.#expire(now)
      this.#owner.sweep()
    }
    if (now - this.#backAt >= comeBackMs) this.#probe(this.#owner.nodes)
  }

  /** A node that does not even hear itself is cut off: it can tell of nobody that he has left, but waits for nobody either. */
  #expire(now: number): void {
    const deafMs = now - this.#heardAt
    if (deafMs < 2 * aliveEveryMs) for (const node of this.#table.expire(now)) this.#gone(node)
    else if (deafMs >= silentMs) for (const node of this.#owner.nodes) this.#owner.lost(node)
  }

  #say(): void {
    this.#saidAt = this.#clock()
    this.#publish({})
  }

  #publish(said: Pick<Alive, 'leaves' | 'back'>): void {
    const { node, incarnation, subjects } = this.#bus
    const alive: Alive = { node, incarnation, about: this.#about, at: this.#skews.now(), ...said }
    this.#bus.publish(subjects.all('alive'), Buffer.from(JSON.stringify(alive)))
  }

  #hear(body: Uint8Array): void {
    const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString()
    const { node, incarnation, about, at, leaves, back } = JSON.parse(text) as Alive
    const now = this.#clock()
    if (now - this.#heardAt >= 2 * aliveEveryMs) this.#table.refresh(now)
    this.#heardAt = now
    if (node === this.#bus.node) return
    if (leaves === true) {
      this.#owner.leaving(node)
      this.#left(node)
      return
    }
    if (Number.isFinite(at)) this.#skews.hear(node, at)
    const heard = this.#table.alive(node, incarnation, about, now)
    if (heard === 'replaced') this.#gone(node)
    if (heard === 'changed') this.#watches.tell({ kind: 'changed', node, about })
    else if (heard !== 'known') {
      this.#watches.tell({ kind: 'joined', node, about })
      // It has not heard of this node yet.
      this.#say()
    }
    if (back === true) this.#owner.check(node)
  }

  #probe(busy: ReadonlySet<string>): void {
    for (const [node, token] of this.#probes) {
      if (busy.has(node)) continue
      this.#bus.forget(token)
      this.#probes.delete(node)
    }
    for (const node of busy) {
      const token = this.#probes.get(node) ?? this.#bus.expect(new Probe(() => this.#left(node)))
      this.#probes.set(node, token)
      this.#bus.publish(this.#bus.subjects.node(node, 'probe'), nothing, this.#bus.inbox(token))
    }
  }

  #left(node: string): void {
    if (this.#table.left(node)) this.#gone(node)
    else this.#owner.lost(node)
  }

  #gone(node: string): void {
    this.#skews.forget(node)
    this.#watches.tell({ kind: 'left', node })
    this.#owner.lost(node)
  }
}
