import { isDeepStrictEqual } from 'node:util'
import { type ErrorReporter, isNodeName, type NodeChange, type UnreadableReporter, readJson } from '@junctor/contracts'
import { NodeWatches } from '@junctor/fabric'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { z } from 'zod'
import { keptOr } from '@junctor/primitives'
import type { ClockSkews } from './clock-skews.ts'
import type { NodeBus } from '../bus/node-bus.ts'
import { aliveEveryMs, AnnouncedNodes, silentMs } from './announced-nodes.ts'
import { Probe } from './probe.ts'

/** An own announcement that was under way for longer shows that announcements have waited here, in milliseconds. */
const lateMs = 1_000

/** How often nodes with calls in flight are probed, so that a lost one is noticed within 2 s. */
const probeEveryMs = 500

/**
 * How long other nodes have to come back after this node was cut off, in milliseconds: they may have been cut off too.
 */
const comeBackMs = 5_000

/** The announcement of a node to all others. */
const aliveSchema = z.object({
  node: z.string().refine(isNodeName, 'expected the name of a node'),
  /** Differs for each start of a node with this name. */
  incarnation: z.string(),
  about: z.custom<JsonObject>(isJsonObject, 'expected an object'),
  /** The time at the node, in epoch milliseconds. */
  at: z.number(),
  /** Set when the node leaves. */
  leaves: z.boolean().exactOptional(),
  /** Set when its connection was lost for a while. */
  back: z.boolean().exactOptional(),
})

type Alive = z.infer<typeof aliveSchema>

/** Receives the changes of nodes. */
export interface MembersOwner {
  /** The nodes to probe. */
  readonly nodes: ReadonlySet<string>
  /** Called when a node announces that it leaves. It has reported the calls that it has taken, and takes no more. */
  leaving(node: string): void
  /** Called when a node has left. */
  lost(node: string): void
  /** Called when messages to and from this node may have been lost. */
  check(node: string): void
  /** Called at intervals. */
  sweep(isPresent: (node: string) => boolean): void
}

/** Where the nodes of a cluster report. */
export interface MembersReports {
  /** Called with exceptions in loops. */
  readonly reportError: ErrorReporter
  /** Called with announcements that this version cannot read. */
  readonly unreadable: UnreadableReporter
}

const nothing = new Uint8Array()

/**
 * The nodes of the cluster: they announce themselves every 2 s, and are probed while calls to or from them are in
 * flight. Each message of a node is a sign of life.
 */
export class NatsMembers {
  readonly #bus: NodeBus
  readonly #skews: ClockSkews
  readonly #clock: () => number
  readonly #owner: MembersOwner
  readonly #reportError: ErrorReporter
  readonly #unreadable: UnreadableReporter
  readonly #table = new AnnouncedNodes()
  readonly #watches = new NodeWatches()
  readonly #probes = new Map<string, string>()
  #about: JsonObject = {}
  #timer: NodeJS.Timeout | undefined = undefined
  #announcedAt = -Infinity
  #tickedAt: number
  /** When any announcement arrived last, including this node's own. */
  #receivedAt: number
  /** When a check last found new messages of other nodes. */
  #heardAt = -Infinity
  /** Whether announcements have waited to be read here: their times then say nothing about the clocks of their nodes. */
  #isLate = false
  /** When the connection of this node was restored. */
  #backAt = -Infinity

  /**
   * @param clock returns milliseconds, monotonic
   */
  constructor(bus: NodeBus, skews: ClockSkews, clock: () => number, owner: MembersOwner, reports: MembersReports) {
    this.#reportError = reports.reportError
    this.#unreadable = reports.unreadable
    this.#bus = bus
    this.#skews = skews
    this.#clock = clock
    this.#owner = owner
    this.#tickedAt = clock()
    this.#receivedAt = clock()
    bus.listen(bus.subjects.all('alive'), (body) => this.#receive(body))
    bus.listen(bus.subjects.node(bus.node, 'probe'), (_body, reply) => {
      if (reply !== '') bus.publish(reply, nothing)
    })
  }

  /** The number of nodes, including this one. */
  get size(): number {
    return this.#table.size + 1
  }

  /** Announces this node from now on. */
  join(): void {
    this.#timer = setInterval(this.#tick, probeEveryMs)
    this.#announce()
  }

  /** Changes the announcement of this node. */
  announce(about: JsonObject): void {
    if (isDeepStrictEqual(about, this.#about)) return
    this.#about = structuredClone(about)
    this.#watches.notify({ kind: 'changed', node: this.#bus.node, about: this.#about })
    this.#announce()
  }

  /** Called when the connection of this node is back after a loss. */
  back(): void {
    this.#backAt = this.#clock()
    // The probes that were sent during the loss have all gone out now.
    this.#probe(new Set())
    this.#table.refresh(this.#backAt)
    this.#publish({ back: true })
    this.#owner.check(this.#bus.node)
  }

  /** Announces that this node leaves. */
  leave(): void {
    clearInterval(this.#timer)
    this.#watches.end()
    this.#publish({ leaves: true })
  }

  /** Implements `Fabric.nodes`. */
  watch(signal: AbortSignal): AsyncGenerator<NodeChange, void> {
    return this.#watches.follow([[this.#bus.node, this.#about], ...this.#table.nodes], signal)
  }

  readonly #tick = (): void => {
    try {
      this.#look()
    } catch (error) {
      this.#reportError('timer', error)
    }
  }

  #look(): void {
    const now = this.#clock()
    const wasAway = now - this.#tickedAt > aliveEveryMs
    this.#tickedAt = now
    if (now - this.#announcedAt >= aliveEveryMs - probeEveryMs / 2) this.#announce()
    if (wasAway) {
      // This process was stopped for a while, or had no processor time: the announcements of that time, also its own,
      // are not read yet, and may not be read at the next check either. The time of silence starts again now.
      this.#receivedAt = now
      this.#isLate = true
      this.#table.refresh(now)
    } else {
      this.#expire(now)
      this.#owner.sweep((node) => node === this.#bus.node || this.#table.has(node))
    }
    if (now - this.#backAt >= comeBackMs) this.#probe(this.#owner.nodes)
  }

  /** A node that does not receive even itself is cut off: it reports no other node as gone, but gives up its calls. */
  #expire(now: number): void {
    if (this.#table.hear((incarnation) => this.#bus.countFrom(incarnation), now)) this.#heardAt = now
    const deafMs = now - Math.max(this.#receivedAt, this.#heardAt)
    if (deafMs < 2 * aliveEveryMs) for (const node of this.#table.expire(now)) this.#gone(node)
    else if (deafMs >= silentMs) for (const node of this.#owner.nodes) this.#owner.lost(node)
  }

  #announce(): void {
    this.#announcedAt = this.#clock()
    this.#publish({})
  }

  #publish(news: Pick<Alive, 'leaves' | 'back'>): void {
    const { node, incarnation, subjects } = this.#bus
    const alive: Alive = { node, incarnation, about: this.#about, at: this.#skews.now(), ...news }
    this.#bus.publish(subjects.all('alive'), Buffer.from(JSON.stringify(alive)))
  }

  #receive(body: Uint8Array): void {
    const read = readJson(aliveSchema, body)
    if (read.kind === 'unreadable') return this.#unreadable('presence', 'NATS', read.problem)
    const { node, incarnation, about, at, leaves, back } = read.value
    const now = this.#clock()
    if (now - this.#receivedAt >= 2 * aliveEveryMs) {
      this.#isLate = true
      this.#table.refresh(now)
    }
    this.#receivedAt = now
    if (node === this.#bus.node) {
      this.#isLate = this.#skews.now() - at >= lateMs
      return
    }
    if (leaves === true) {
      this.#owner.leaving(node)
      this.#left(node)
      return
    }
    if (!this.#isLate) this.#skews.record(node, at)
    const change = this.#table.alive(node, incarnation, about, now)
    if (change === 'replaced') this.#gone(node)
    if (change === 'changed') this.#watches.notify({ kind: 'changed', node, about })
    else if (change !== 'known') {
      this.#watches.notify({ kind: 'joined', node, about })
      // The other node has not received an announcement of this one yet.
      this.#announce()
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
      const token = keptOr(this.#probes, node, () => this.#bus.expect(new Probe(() => this.#left(node))))
      this.#bus.publish(this.#bus.subjects.node(node, 'probe'), nothing, this.#bus.inbox(token))
    }
  }

  #left(node: string): void {
    if (this.#table.left(node)) this.#gone(node)
    else this.#owner.lost(node)
  }

  #gone(node: string): void {
    this.#skews.forget(node)
    this.#watches.notify({ kind: 'left', node })
    this.#owner.lost(node)
  }
}
