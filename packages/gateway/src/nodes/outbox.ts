import type { Fabric } from '@junctor/contracts'
import type { Host, Outcome } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import { SharedWait } from '@junctor/primitives'
import { pause } from '../shared/pause.ts'
import { callNode } from './call-node.ts'
import { nodeContext } from './node-context.ts'
import { nodeDidNotAnswer } from './node-did-not-answer.ts'
import { nodeRequest } from './node-request.ts'

/** The most items in one batch, and the most that may wait before the sender has to wait. */
const itemsAtOnce = 64

/** The same in characters; a single item may be larger. */
const charactersAtOnce = 256 * 1024

/** Interval between two attempts to deliver a batch, in milliseconds. */
const againMs = 100

/**
 * After this long, an absent node is treated as lost, in milliseconds. Before that, other nodes may not know it yet.
 */
const absentTimeoutMs = 10_000

/** The same when this node leaves: then other nodes can deliver what it could not. */
const leavingTimeoutMs = 2_000

/** What an outbox needs. */
export interface OutboxParts {
  readonly fabric: Pick<Fabric, 'node' | 'call' | 'now'>
  readonly host: Host
  /** Whether a node is present, also while it cannot be reached for a moment. */
  readonly isPresent: (node: string) => Promise<boolean>
}

/**
 * Whether to retry a batch that was not, or perhaps not, received: the node is present, or was a moment ago. A batch
 * that arrives twice is recognized by its number. A batch that the node has refused is not sent again.
 *
 * @param absentMs how long an absent node is waited for, in milliseconds
 */
export function shouldRetryBatch(outcome: Outcome, isPresent: boolean, forMs: number, absentMs: number): boolean {
  return nodeDidNotAnswer(outcome) && (isPresent || forMs < absentMs)
}

/** An item that can be sent to another node: JSON, mostly one text. */
export interface Item {
  readonly text: string
}

/** The queue of items for one other node. Delivers them in order and once each, until the node has them or is lost. */
export class Outbox<Sent extends Item> {
  readonly #node: string
  readonly #service: string
  readonly #id: string
  readonly #parts: OutboxParts
  #waiting: Sent[] = []
  #characters = 0
  /** The number of the last batch that was sent. */
  #number = 0
  #isSending = false
  readonly #room = new SharedWait()
  /** The number of items that were added, and of those that were delivered or given up. */
  #added = 0
  #gone = 0
  /** Callers that wait until this many items are delivered or given up, the smallest count first. */
  readonly #arrivals: { readonly count: number; readonly resolve: (arrived: boolean) => void }[] = []
  #isClosed = false
  /** Undefined: this node does not leave. */
  #leaving: { readonly hasSuccessor: boolean } | undefined = undefined

  /**
   * @param service the service of the other node that receives the batches
   * @param id identifies this outbox to the other node; unique for all time
   */
  constructor(node: string, service: string, id: string, parts: OutboxParts) {
    this.#node = node
    this.#service = service
    this.#id = id
    this.#parts = parts
  }

  /** Adds an item. Returns a promise when so many items wait that the sender must wait as well. */
  add(item: Sent): Promise<void> | undefined {
    this.#added += 1
    if (this.#isClosed) return undefined
    this.#waiting.push(item)
    this.#characters += item.text.length
    if (!this.#isSending) void this.#send()
    return this.#hasRoom ? undefined : this.#room.wait()
  }

  /**
   * Resolves when the other node has received everything that was added so far, or is lost. False: this outbox was
   * closed before.
   */
  arrived(): Promise<boolean> {
    if (this.isEmpty || this.#isClosed) return Promise.resolve(this.isEmpty)
    return new Promise((resolve) => void this.#arrivals.push({ count: this.#added, resolve }))
  }

  /** Whether no item waits or is being sent. */
  get isEmpty(): boolean {
    return this.#gone === this.#added
  }

  /**
   * This node leaves. From now on the outbox closes when its node cannot be reached for a while, because other nodes can
   * deliver the rest. When no node stays, it waits for its node as long as that is present, and not at all when it is absent.
   */
  leave(hasSuccessor: boolean): void {
    this.#leaving = { hasSuccessor }
  }

  close(): void {
    this.#isClosed = true
    this.#room.end()
    for (const { resolve } of this.#arrivals.splice(0)) resolve(false)
  }

  get #hasRoom(): boolean {
    return this.#waiting.length < itemsAtOnce && this.#characters < charactersAtOnce
  }

  async #send(): Promise<void> {
    this.#isSending = true
    // Items that are added in the same turn go into one batch.
    await Promise.resolve()
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const items = this.#next()
      // oxlint-disable-next-line no-await-in-loop -- they come in order
      await this.#deliver(items)
      this.#took(items.length)
    }
    this.#isSending = false
  }

  #took(count: number): void {
    if (this.#isClosed) return
    this.#gone += count
    while (this.#arrivals[0] !== undefined && this.#arrivals[0].count <= this.#gone)
      this.#arrivals.shift()?.resolve(true)
    if (this.#hasRoom) this.#room.end()
  }

  #next(): readonly Sent[] {
    let [count, characters] = [0, 0]
    while (count < this.#waiting.length && count < itemsAtOnce) {
      const { length } = this.#waiting[count]?.text ?? ''
      if (count > 0 && characters + length > charactersAtOnce) break
      characters += length
      count += 1
    }
    this.#characters -= characters
    return this.#waiting.splice(0, count)
  }

  async #deliver(items: readonly Sent[]): Promise<void> {
    this.#number += 1
    const { host, isPresent } = this.#parts
    const body = { from: this.#id, number: this.#number, items } as unknown as JsonValue
    const request = nodeRequest(this.#service, body)
    const call = { node: this.#node, request, context: nodeContext, withinMs: Infinity }
    const began = host.now()
    while (!this.#isClosed) {
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await callNode(this.#parts, call)
      if (outcome.kind !== 'error') return
      const forMs = host.now() - began
      // oxlint-disable-next-line no-await-in-loop
      const isNodePresent = await isPresent(this.#node)
      if (!shouldRetryBatch(outcome, isNodePresent, forMs, this.#leaving?.hasSuccessor === false ? 0 : absentTimeoutMs))
        return
      if (this.#leaving?.hasSuccessor === true && forMs >= leavingTimeoutMs) return this.close()
      // oxlint-disable-next-line no-await-in-loop
      await pause(againMs)
    }
  }
}
