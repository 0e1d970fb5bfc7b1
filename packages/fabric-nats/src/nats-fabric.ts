import {
  type CallTarget,
  type ErrorReporter,
  type Closer,
  type Control,
  createErrorReporter,
  createUnreadableReporter,
  type EntryLog,
  type Fabric,
  type FabricGauges,
  isNodeName,
  type Log,
  type LogBounds,
  type NodeChange,
  type Queue,
  type Seal,
  type Store,
  emitNothing,
  type UnreadableReporter,
} from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import { settlesWithin } from '@junctor/primitives'
import { callView, createNodeName, noHolderOutcome, steadyTime } from '@junctor/fabric'
import type { JsonObject, JsonValue, Request, WireError } from '@junctor/jsonrpc'
import { connectionChanges, subjectsOf } from '@junctor/nats'
import { JunctorError, wireError } from '@junctor/protocol'
import type { NatsConnection } from '@nats-io/transport-node'
import { ClockSkews } from './members/clock-skews.ts'
import { ClusterClock } from './members/cluster-clock.ts'
import { createClusterKey } from './seal/cluster-key.ts'
import { FabricHealth } from './fabric-health.ts'
import { ForeignMessages } from './bus/foreign-messages.ts'
import { KeyCheck } from './storage/key-check.ts'
import { NatsCalls } from './calls/nats-calls.ts'
import { NatsControls } from './calls/nats-controls.ts'
import { NatsMembers } from './members/nats-members.ts'
import { NatsLog } from './storage/nats-log.ts'
import { NatsQueue } from './queue/nats-queue.ts'
import { NatsStore } from './storage/nats-store.ts'
import { NodeBus } from './bus/node-bus.ts'
import { serverProblem } from './server-problem.ts'
import type { StoredOptions } from './storage/stored-options.ts'
import { openStorage, type Storage } from './storage/storage.ts'
import { StoredSeal } from './seal/stored-seal.ts'

/** What a fabric on NATS is made of. */
export interface NatsFabricOptions {
  /** From `connectNats`. The caller owns it, and closes it after the fabric. */
  readonly connection: NatsConnection
  /** Nodes of one cluster see each other; any number of clusters share a server. */
  readonly cluster: string
  /** Default: 8 random characters. */
  readonly node?: string
  /**
   * The secrets of the cluster, at least 32 characters each: nodes accept only messages that were made with one of
   * them. The first secret seals, all secrets open, so that one can be replaced by another.
   */
  readonly keys: readonly string[]
  /** The number of servers that store each value. Default 1; 3 for data that must survive the loss of a server. */
  readonly replicas?: number
  readonly log: Log
  /** Called with exceptions in loops of this fabric. Default: they are logged. */
  readonly reportError?: ErrorReporter
  /** Called with data of other nodes that this version cannot read. Default: they are logged, once a minute. */
  readonly unreadable?: UnreadableReporter
  /** Returns epoch milliseconds, for tests. Default: the system's clock, and a steady one for deadlines. */
  readonly now?: () => number
}

/** The minimum length: shorter secrets can be guessed. */
const keyCharacters = 32

/**
 * Joins a cluster over NATS: creates the fabric of one of its nodes. Resolves when others can reach it.
 *
 * A node that has none of the cluster's keys does not take part until it has one, and reports that in its gauges.
 *
 * @throws JunctorError `CONFIG_INVALID` when there is no key or one is too short, the node's name is invalid or in use,
 * or the server is too old for several replicas
 */
export async function createNatsFabric(options: NatsFabricOptions): Promise<FabricOnNats> {
  const {
    connection,
    cluster,
    node = createNodeName(),
    log,
    reportError = createErrorReporter(log, emitNothing),
  } = options
  const { unreadable = createUnreadableReporter(log, emitNothing) } = options
  const shortest = Math.min(...options.keys.map(({ length }) => length))
  if (options.keys.length === 0 || shortest < keyCharacters) {
    const got = options.keys.length === 0 ? 'none' : `one of ${shortest}`
    throw new JunctorError(
      'CONFIG_INVALID',
      `expected cluster keys of at least ${keyCharacters} characters, got ${got}`,
    )
  }
  if (!isNodeName(node)) {
    throw new JunctorError('CONFIG_INVALID', `expected a node name of [a-z0-9], got ${JSON.stringify(node)}`)
  }
  const { replicas = 1 } = options
  const problem = serverProblem(connection.info?.version, replicas)
  if (problem !== undefined) throw new JunctorError('CONFIG_INVALID', problem)
  const keys = options.keys.map(createClusterKey)
  const foreign = new ForeignMessages(log)
  const storage = await openStorage({
    connection,
    replicas,
    log,
    reportError,
    unreadable,
    seal: new StoredSeal(keys),
    foreign,
  })
  const bus = new NodeBus(
    node,
    { connection, state: storage.state, log, reportError, keys, foreign },
    subjectsOf(cluster),
  )
  if (await bus.isTaken(node)) {
    bus.close()
    throw new JunctorError(
      'CONFIG_INVALID',
      `expected a node name that is not in the cluster yet, got ${node}: give each node a name of its own`,
    )
  }
  const time = new ClusterClock(options.now ?? steadyTime)
  const keyCheck = new KeyCheck(storage, bus.subjects, clock, time)
  // A check that fails now is repeated soon.
  await keyCheck.look().catch(() => {})
  const fabric = new NatsFabric(options, bus, storage, keyCheck, time)
  await fabric.join()
  return fabric
}

/** How long a leaving node waits for its loans to be given back, in milliseconds; after that the loans expire. */
const releaseMs = 1_000

/** How long the test value of a node's storage check lives, in milliseconds. */
const healthTtlMs = 60_000

/** The error for a call that was not sent, because NATS could not be reached. */
function cutOff(request: Request, exchange: Exchange): WireError {
  return wireError('fabric_unavailable', callView(request, exchange))
}

/** Milliseconds, monotonic. */
const clock = (): number => performance.now()

/** A fabric on NATS. A node may join NATS without a key of the cluster. */
export interface FabricOnNats extends Fabric {
  /**
   * Calls `then` when this node has a key of the cluster, immediately or later, unless the returned function is called.
   */
  whenMember(then: () => void): () => void
}

class NatsFabric implements FabricOnNats {
  readonly node: string
  readonly mayRestoreDeleted = true
  readonly #connection: NatsConnection
  readonly #bus: NodeBus
  readonly #storage: Storage
  readonly now: () => number
  readonly seal: Seal
  readonly #calls: NatsCalls
  readonly #controls: NatsControls
  readonly #skews: ClockSkews
  readonly #members: NatsMembers
  readonly #health: FabricHealth
  readonly #keyCheck: KeyCheck
  readonly #queues = new Map<string, NatsQueue<JsonValue>>()
  readonly #closing = new AbortController()
  #left: Promise<void> | undefined = undefined

  constructor(
    { connection, now: system = Date.now }: NatsFabricOptions,
    bus: NodeBus,
    storage: Storage,
    keyCheck: KeyCheck,
    time: ClusterClock,
  ) {
    this.#keyCheck = keyCheck
    this.node = bus.node
    this.#connection = connection
    this.#bus = bus
    this.#storage = storage
    this.seal = storage.seal
    const { now } = time
    this.now = now
    const { reportError, unreadable } = storage
    this.#calls = new NatsCalls(bus, keyCheck, now, clock, { reportError, unreadable })
    this.#controls = new NatsControls(bus, reportError, unreadable)
    this.#skews = new ClockSkews(storage.log, system)
    this.#members = new NatsMembers(bus, this.#skews, clock, this.#calls, { reportError, unreadable })
    this.#health = new FabricHealth(storage, keyCheck, this.store('health', healthTtlMs), this.node)
  }

  async join(): Promise<void> {
    this.#members.join()
    this.#health.start()
    void this.#followConnection()
    await this.#bus.flush()
  }

  store<T extends JsonValue>(name: string, ttlMs: number): Store<T> {
    return new NatsStore(this.#storage, { ...this.#stored, name, ttlMs })
  }

  log(name: string, bounds: LogBounds): EntryLog {
    return new NatsLog(this.#storage, { ...this.#stored, name, bounds })
  }

  queue<T extends JsonValue>(name: string, leaseMs: number): Queue<T> {
    const key = `${leaseMs} ${name}`
    const queue =
      this.#queues.get(key) ?? new NatsQueue(this.#storage, { ...this.#stored, name, leaseMs, mayTake: this.#mayTake })
    this.#queues.set(key, queue)
    // Items are JSON; the users of a queue's name know their shape.
    return queue as unknown as Queue<T>
  }

  call(to: CallTarget, request: Request, exchange: Exchange): Promise<Outcome> {
    // A name may come from a client, in the id of an event.
    const canBe = !this.#isClosed && (to.node === undefined || isNodeName(to.node))
    if (!canBe) return Promise.resolve(noHolderOutcome(to, request, exchange))
    if (!this.#keyCheck.isMember) return Promise.resolve({ kind: 'error', error: cutOff(request, exchange) })
    // Messages that are published without a connection are lost.
    if (this.#storage.state.isConnected) return this.#calls.call(to, request, exchange)
    return this.#callWhenThere(to, request, exchange)
  }

  async #callWhenThere(to: CallTarget, request: Request, exchange: Exchange): Promise<Outcome> {
    if (!(await this.#storage.state.there())) return { kind: 'error', error: cutOff(request, exchange) }
    return this.#calls.call(to, request, exchange)
  }

  async serve(service: string, handler: Handler): Promise<Closer> {
    this.#checkOpen()
    return this.#calls.serve(service, handler)
  }

  async send(node: string, control: Control): Promise<boolean> {
    if (this.#isClosed) return false
    if (node === 'all') return this.#controls.sendToAll(control) && this.#members.size > 1
    return isNodeName(node) && this.#controls.send(node, control)
  }

  onControl(handler: (control: Control, from: string) => void): Closer {
    return this.#controls.onControl(handler)
  }

  announce(about: JsonObject): void {
    if (!this.#isClosed) this.#members.announce(about)
  }

  gauges(): FabricGauges {
    const { state } = this.#storage
    return {
      problem: this.#isClosed ? 'this node has left its fabric' : this.#health.problem,
      hasWrongKey: this.#keyCheck.hasWrongKey,
      connected: state.isConnected,
      reconnects: state.reconnects,
      nodes: this.#members.size,
      clocksAheadMs: this.#skews.aheadMs,
      ...this.#calls.gauges,
      storageFailures: { ...state.failures },
      foreign: { ...this.#storage.foreign.counts },
      roundTripMs: this.#health.roundTripMs,
    }
  }

  onReconnect(back: () => void): () => void {
    const { state } = this.#storage
    return state.onReconnect(() => {
      if (state.isConnected) back()
    })
  }

  whenMember(then: () => void): () => void {
    return this.#keyCheck.whenMember(then)
  }

  async *nodes(signal: AbortSignal): AsyncGenerator<NodeChange, void> {
    if (!signal.aborted && !this.#isClosed) yield* this.#members.watch(signal)
  }

  close(): Promise<void> {
    this.#left ??= this.#leave()
    return this.#left
  }

  /** The options of all stored data. */
  get #stored(): Omit<StoredOptions, 'name'> {
    return { subjects: this.#bus.subjects, check: this.#check, now: this.now }
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  readonly #mayTake = (): boolean => this.#isClosed || this.#keyCheck.isMember

  #checkOpen(): void {
    if (this.#isClosed) throw new JunctorError('CLOSED', `node ${this.node} has left its fabric`)
  }

  readonly #check = (): void => {
    this.#checkOpen()
    this.#keyCheck.check()
  }

  async #leave(): Promise<void> {
    const forgotten = this.#health.stop()
    this.#closing.abort()
    this.#bus.hurry()
    this.#controls.leave()
    const drained = this.#calls.leave()
    this.#members.leave()
    const released = Promise.all([...this.#queues.values()].map((queue) => queue.leave()))
    await Promise.all([drained, settlesWithin(Promise.all([released, forgotten]), releaseMs)])
    this.#bus.close()
    await this.#bus.flush()
  }

  /** Ends with the connection, which also ends the fabric. */
  async #followConnection(): Promise<void> {
    for await (const change of connectionChanges(this.#connection)) {
      if (change === 'lost') continue
      try {
        this.#members.back()
      } catch (error) {
        this.#storage.reportError('message', error)
      }
    }
    await this.close().catch((error: unknown) => this.#storage.reportError('message', error))
  }
}
