import type { JsonObject, JsonValue, Request } from '@junctor/jsonrpc'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { FabricGauges } from './fabric-gauges.ts'

/** Ends a registration. Idempotent. */
export interface Closer {
  /** Ends it. A second call has no effect. */
  close(): Promise<void>
}

/** A value, and the revision that a later conditional `put` must name. */
export interface Stored<T> {
  readonly value: T
  readonly revision: number
}

/**
 * Small records by key, shared by all nodes. Each record expires `ttlMs` after its last put. Values are JSON, and are
 * frozen once put.
 */
export interface Store<T> {
  /** The record of a key, or `undefined`. */
  get(key: string): Promise<Stored<T> | undefined>
  /**
   * Stores a value and returns its revision. With `revision`, the value is stored only if that revision is still
   * current; 0 means that the key must not exist. Revisions rise, and a key never gets the same revision twice.
   */
  put(key: string, value: T, revision?: number): Promise<number | 'conflict'>
  /** Removes a record. A key without a record is no error. */
  delete(key: string): Promise<void>
  /** The keys that begin with `prefix`, in no order. */
  keys(prefix: string): Promise<readonly string[]>
}

/** The bounds of a log for each key. */
export interface LogBounds {
  readonly entries: number
  readonly bytes: number
  readonly ageMs: number
}

/** One entry of an {@link EntryLog}. */
export interface LogEntry {
  /**
   * Rises by one for each entry of a key, starting at 1, also when older entries are gone. Starts again after `drop`.
   */
  readonly sequence: number
  readonly value: string
}

/**
 * Ordered entries by key: mailboxes, event batches. When a bound is reached, the oldest entries are removed first.
 * (`Log` is the structured log.)
 */
export interface EntryLog {
  /** Resolves with the sequence when the entry is stored. Rejects an entry that alone is larger than the bound. */
  append(key: string, value: string): Promise<number>
  /** Entries after the sequence, oldest first. */
  read(key: string, after: number): Promise<readonly LogEntry[]>
  /** Removes all entries of a key. */
  drop(key: string): Promise<void>
}

/** An item of a queue on loan. The fence rises with each loan, so that writes of a stale holder can be refused. */
export interface Lease<T> {
  readonly id: string
  readonly value: T
  readonly fence: number
  /** Extends the lease. Returns false when the lease is lost. */
  extend(): Promise<boolean>
  /** Acknowledges the item. Returns false when the lease was lost and another node may hold the item. */
  done(): Promise<boolean>
  /**
   * Returns the item to the queue.
   *
   * @param afterMs the item is not delivered again before this many milliseconds have passed; default: 0
   */
  release(afterMs?: number): Promise<void>
}

/** The result of {@link Queue.hold}. */
export type Held<T> =
  /** The item is stored, and on loan to the caller. */
  | { readonly kind: 'lent'; readonly lease: Lease<T> }
  /** The item is stored, and waits for any taker, or has one. */
  | { readonly kind: 'queued' }
  /** It is unknown whether the item is stored. If it is, other takers get it only when this node is lost or seems lost. */
  | { readonly kind: 'unknown'; readonly error: unknown }

/** Items that wait for a node that takes them: each is given to one node at a time. */
export interface Queue<T> {
  /**
   * Resolves when the item is stored. A push of an id that is in the queue or on loan is ignored. Rejects with
   * `FABRIC_REFUSED` when nothing is stored; after any other error the item may be stored.
   */
  push(id: string, value: T): Promise<void>
  /**
   * Stores an item that no node has pushed or held before, and takes it on loan in the same step, ahead of all items that
   * wait. Other takers get it when it is released or its loan is lost. Rejects when nothing is stored.
   */
  hold(id: string, value: T): Promise<Held<T>>
  /**
   * Waits for an item. Resolves with `undefined` when the signal aborts or the fabric is closed. Items are delivered in
   * the order of their pushes.
   */
  take(signal: AbortSignal): Promise<Lease<T> | undefined>
}

/** A short message between nodes that needs no answer. Only the receiver interprets `kind`. */
export interface Control {
  readonly kind: string
  readonly body: JsonValue
}

/**
 * A change of the set of nodes. `about` is the last announcement of the node. `changed` is reported when the
 * announcement differs from the one before. A node that was restarted under its name is reported as `left`, then
 * `joined`.
 */
export type NodeChange =
  | { readonly kind: 'joined' | 'changed'; readonly node: string; readonly about: JsonObject }
  | { readonly kind: 'left'; readonly node: string }

/** Seals data for storage or for the hands of clients: only nodes of the cluster can make and read them. */
export interface Seal {
  /**
   * Seals data.
   *
   * @param place where they belong, and everything else that they are bound to
   */
  close(place: string, data: Uint8Array): Uint8Array
  /** Opens sealed data. Undefined when no node of the cluster has sealed them, or not for this place. */
  open(place: string, sealed: Uint8Array): Uint8Array | undefined
}

/** The target of a call: any node that serves the service, or one node. */
export interface CallTarget {
  /**
   * The name of a backend, or `$` and a name (`$session`, `$link <id>`). A service whose name starts with `$` belongs
   * to its node; only a call that names the node reaches it.
   */
  readonly service: string
  readonly node?: string
}

/** Calls between two ends: all that a link on another node, or in another process, needs of a fabric. */
export type CallFabric = Pick<Fabric, 'node' | 'call' | 'serve'>

/**
 * What nodes share, as primitives. Sessions, mailboxes and jobs are implemented once, in the gateway, on top of them.
 *
 * Nodes share values, never objects. After `close`, storage rejects with `CLOSED`, calls find no node and nothing is
 * sent.
 */
export interface Fabric {
  /** This node's name, 8 random characters. */
  readonly node: string
  /**
   * Whether deleted entries can reappear in storage: a storage server that is killed may return with an older state.
   * Where this is true, the end of something must be written explicitly.
   */
  readonly mayRestoreDeleted: boolean
  /**
   * Returns the time that all nodes share, in epoch milliseconds, even when the clock of one node is wrong. It may be
   * used without its object.
   */
  readonly now: () => number
  /** Seals what leaves the nodes. All nodes can open it. */
  readonly seal: Seal
  /** The store of that name. A record expires `ttlMs` milliseconds after its last write. */
  store<T extends JsonValue>(name: string, ttlMs: number): Store<T>
  /** The append-only log of that name. Every node that names it has the same one. */
  log(name: string, bounds: LogBounds): EntryLog
  /** The queue of that name. An item that is not confirmed within `leaseMs` milliseconds is given out again. */
  queue<T extends JsonValue>(name: string, leaseMs: number): Queue<T>
  /**
   * Runs the request at a node that serves the service. Events and asks of the remote handler appear on the exchange in
   * order, and the end of the exchange reaches the remote handler. Never rejects. When no node serves it, the outcome
   * is `backend_unavailable`, immediately. When the node leaves during the call, the outcome is `backend_exited`,
   * because the handler had started. A handler that fails gives an `internal_error`.
   */
  call(to: CallTarget, request: Request, exchange: Exchange): Promise<Outcome>
  /** Answers the requests to a service, until it is closed. */
  serve(service: string, handler: Handler): Promise<Closer>
  /** Sends to one node by its name, or to `all` others. Returns false when there is no such node. */
  send(node: string, control: Control): Promise<boolean>
  /**
   * Registers a handler for control messages. `from` is the sending node. Messages of one sender arrive in order, and
   * never inside its `send`. A node does not receive its own messages to all. Handlers must not throw; an error of a
   * handler is dropped, so that the other handlers are still called.
   */
  onControl(handler: (control: Control, from: string) => void): Closer
  /**
   * Announces to all nodes, now and to those that join later, what this node is: its role and the backends that it
   * holds. At most a few KiB, because the announcement is repeated. A node that has announced nothing has `{}`.
   */
  announce(about: JsonObject): void
  /** Returns the current health of the fabric. */
  gauges(): FabricGauges
  /**
   * Registers a callback that is called each time this node can reach the others again after it could not, before the
   * node receives or answers anything else. An error of the callback is dropped. The returned function removes the
   * callback.
   */
  onReconnect(back: () => void): () => void
  /**
   * Yields the nodes that are present now, including this one, as `joined`, then every change, until the signal aborts.
   */
  nodes(signal: AbortSignal): AsyncIterable<NodeChange>
  /**
   * Leaves the cluster. The other nodes see the node leave, calls to and from it end, and other nodes may take its
   * leased items. Idempotent.
   */
  close(): Promise<void>
}
