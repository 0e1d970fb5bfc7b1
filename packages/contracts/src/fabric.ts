import type { JsonObject, JsonValue, Request } from '@junctor/jsonrpc'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { FabricReadings } from './fabric-readings.ts'

/** Ends a registration. Idempotent. */
export interface Closer {
  close(): Promise<void>
}

/** A value and the revision that a later conditional put names. */
export interface Stored<T> {
  readonly value: T
  readonly revision: number
}

/** Small records by key, shared by all nodes, each gone `ttlMs` after its last put. Values are JSON, and frozen once put. */
export interface Store<T> {
  get(key: string): Promise<Stored<T> | undefined>
  /**
   * With a revision: only if that is still the current one; 0 means "must not exist". Revisions rise, and none is used
   * twice for a key.
   */
  put(key: string, value: T, revision?: number): Promise<number | 'conflict'>
  delete(key: string): Promise<void>
  keys(prefix: string): Promise<readonly string[]>
}

/** What a log keeps for each key, at most. */
export interface LogBounds {
  readonly entries: number
  readonly bytes: number
  readonly ageMs: number
}

export interface LogEntry {
  /** Rises by one for each entry of a key, from 1 on; also when older entries are gone. Starts again after `drop`. */
  readonly sequence: number
  readonly value: string
}

/** Ordered entries by key: mailboxes, event batches. The oldest go first when a bound is reached. (`Log` is the structured log.) */
export interface EntryLog {
  /** Resolves with the sequence when the entry is stored. Rejects an entry that is larger than the bound by itself. */
  append(key: string, value: string): Promise<number>
  /** Entries after the sequence, oldest first. */
  read(key: string, after: number): Promise<readonly LogEntry[]>
  drop(key: string): Promise<void>
}

/** A queue item on loan. Its fence rises with each loan, so that a stale holder's writes can be refused. */
export interface Lease<T> {
  readonly id: string
  readonly value: T
  readonly fence: number
  /** Asks for more time; false when the lease is lost. */
  extend(): Promise<boolean>
  /** The work is done; false when the lease was lost, and somebody else may have it. */
  done(): Promise<boolean>
  /** Gives it back to be taken again. @param afterMs not before so many milliseconds have passed; default: 0 */
  release(afterMs?: number): Promise<void>
}

export interface Queue<T> {
  /** Resolves when stored. A push of an id that is in the queue or on loan is ignored. */
  push(id: string, value: T): Promise<void>
  /** Waits for an item; `undefined` when the signal aborts or the fabric is closed. First come, first served. */
  take(signal: AbortSignal): Promise<Lease<T> | undefined>
}

/** A short message between nodes that needs no answer. `kind` is the receiver's to interpret. */
export interface Control {
  readonly kind: string
  readonly body: JsonValue
}

/**
 * What happens to nodes. `about` is what the node announced last; `changed` is told when that is something else than
 * before. A node that was started again under its name has left and joined.
 */
export type NodeChange =
  | { readonly kind: 'joined' | 'changed'; readonly node: string; readonly about: JsonObject }
  | { readonly kind: 'left'; readonly node: string }

/** Where a call goes: any holder of a service, or one node. */
export interface CallTarget {
  /**
   * A backend's name, or `$` and a name (`$session`, `$link <id>`): what starts with `$` belongs to its node, and is found
   * by a call that names the node only.
   */
  readonly service: string
  readonly node?: string
}

/**
 * What nodes share, as primitives. Sessions, mailboxes and jobs are written once, in the gateway, on top.
 *
 * Nodes share values, never objects. After `close` storage rejects with `CLOSED`, calls find nobody and nothing is sent.
 */
export interface Fabric {
  /** This node's name, 8 random characters. */
  readonly node: string
  /**
   * Whether storage may have again what was deleted: a server of it that is killed comes back with an older state. Where it
   * may, that something is over has to be written.
   */
  readonly isForgetful: boolean
  /** What time it is for all nodes, in epoch milliseconds, however wrong the clock of one is. A function by itself. */
  readonly now: () => number
  store<T extends JsonValue>(name: string, ttlMs: number): Store<T>
  log(name: string, bounds: LogBounds): EntryLog
  queue<T extends JsonValue>(name: string, leaseMs: number): Queue<T>
  /**
   * Runs the request where the service is. Events and asks of the far handler appear on the exchange in order; its end
   * reaches the far handler. Never rejects. Nobody there is the outcome `backend_unavailable`, at once; when the node
   * leaves during the call it is `backend_exited`, for the handler was at work. A handler that fails is an
   * `internal_error`.
   */
  call(to: CallTarget, request: Request, exchange: Exchange): Promise<Outcome>
  serve(service: string, handler: Handler): Promise<Closer>
  /** To a node by its name, or to `all` others. False: nobody there. */
  send(node: string, control: Control): Promise<boolean>
  /**
   * `from` is the sending node. Controls of one sender come in order, and never within its `send`. A node does not hear
   * what it sends to all. Handlers must not throw; what they throw is dropped, so that the others hear.
   */
  onControl(handler: (control: Control, from: string) => void): Closer
  /**
   * Says to all, from now on and to those who come later, what this node is: its role, the backends that it holds. A few
   * KiB at most, for it is repeated. Nodes that have announced nothing are `{}`.
   */
  announce(about: JsonObject): void
  /** How it does, at this moment. */
  readings(): FabricReadings
  /**
   * Calls each time that this node can reach the others again after it could not, before it hears or answers anything else,
   * until what is returned is called. What it throws is dropped.
   */
  onBack(back: () => void): () => void
  /** The nodes that are there now, this one included, as `joined`, then every change, until the signal aborts. */
  nodes(signal: AbortSignal): AsyncIterable<NodeChange>
  /** Leaves: the others see it go, calls to and from here end, what is on loan here may be taken by others. Idempotent. */
  close(): Promise<void>
}
