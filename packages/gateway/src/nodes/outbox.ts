import type { Fabric } from '@junctor/contracts'
import type { Host, Outcome } from '@junctor/exchange'
import type { JsonValue } from '@junctor/jsonrpc'
import { reasonOf } from '../shared/errors.ts'
import { pause } from '../shared/pause.ts'
import { callNode } from './call-node.ts'
import { nodeContext } from './node-context.ts'
import { nodeRequest } from './node-request.ts'

/** What goes out together, and what may wait before whoever makes more has to, at most. */
const itemsAtOnce = 64

/** The same in characters; one may be larger by itself. */
const charactersAtOnce = 256 * 1024

/** Before a node that has not taken something is tried again, in milliseconds. */
const againMs = 100

/** A node that is not there is taken for lost after this long, in milliseconds: others may not have heard of it yet. */
const patienceMs = 10_000

/** The same when this node leaves, and others can bring what it could not. */
const leavingPatienceMs = 2_000

/** What an outbox stands on. */
export interface OutboxParts {
  readonly fabric: Pick<Fabric, 'node' | 'call'>
  readonly host: Host
  /** Whether a node is there, also when it cannot be reached for a moment. */
  readonly isThere: (node: string) => Promise<boolean>
}

/**
 * Whether what a node has not taken, or perhaps has, is brought once more: it is there, or was a moment ago, and whoever
 * gets something twice knows it by its number. What it does not want it will not want again.
 */
export function isWorthTrying(outcome: Outcome, isThere: boolean, forMs: number): boolean {
  const reason = reasonOf(outcome)
  const isAway = reason === 'backend_unavailable' || reason === 'backend_exited' || reason === 'fabric_unavailable'
  return isAway && (isThere || forMs < patienceMs)
}

/** What can go to another node: JSON, most of it in one text. */
export interface Item {
  readonly text: string
}

/** What goes to one other node: in order, each item once, until that node has it or is lost. */
export class Outbox<Sent extends Item> {
  readonly #node: string
  readonly #service: string
  readonly #id: string
  readonly #parts: OutboxParts
  #waiting: Sent[] = []
  #characters = 0
  /** Of the parcel that was sent last. */
  #number = 0
  #isSending = false
  #room: PromiseWithResolvers<void> | undefined
  /** Items that were ever added, and those of them that are off its hands. */
  #added = 0
  #gone = 0
  /** Who waits until so many are off its hands, the least first. */
  readonly #arrivals: { readonly count: number; readonly resolve: (arrived: boolean) => void }[] = []
  #isClosed = false
  #isLeaving = false

  /**
   * @param service that takes it at the far end
   * @param id names this outbox there: no other has it, nor had
   */
  constructor(node: string, service: string, id: string, parts: OutboxParts) {
    this.#node = node
    this.#service = service
    this.#id = id
    this.#parts = parts
  }

  /** Takes an item. A promise: so many wait that whoever makes them is to wait, too. */
  add(item: Sent): Promise<void> | undefined {
    this.#added += 1
    if (this.#isClosed) return undefined
    this.#waiting.push(item)
    this.#characters += item.text.length
    if (!this.#isSending) void this.#send()
    if (this.#hasRoom) return undefined
    this.#room ??= Promise.withResolvers<void>()
    return this.#room.promise
  }

  /** Resolves when all that was added so far is with the far node, or that is lost. False: this outbox was closed before. */
  arrived(): Promise<boolean> {
    if (this.isEmpty || this.#isClosed) return Promise.resolve(this.isEmpty)
    return new Promise((resolve) => void this.#arrivals.push({ count: this.#added, resolve }))
  }

  /** Nothing waits, and nothing is on its way. */
  get isEmpty(): boolean {
    return this.#gone === this.#added
  }

  /** From now on it is closed when its node cannot be reached for a while. */
  leave(): void {
    this.#isLeaving = true
  }

  close(): void {
    this.#isClosed = true
    this.#room?.resolve()
    for (const { resolve } of this.#arrivals.splice(0)) resolve(false)
  }

  get #hasRoom(): boolean {
    return this.#waiting.length < itemsAtOnce && this.#characters < charactersAtOnce
  }

  async #send(): Promise<void> {
    this.#isSending = true
    // What is added in this turn goes together.
    await Promise.resolve()
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const items = this.#next()
      // oxlint-disable-next-line no-await-in-loop -- they come in order
      await this.#bring(items)
      this.#took(items.length)
    }
    this.#isSending = false
  }

  #took(count: number): void {
    if (this.#isClosed) return
    this.#gone += count
    while (this.#arrivals[0] !== undefined && this.#arrivals[0].count <= this.#gone)
      this.#arrivals.shift()?.resolve(true)
    if (!this.#hasRoom) return
    this.#room?.resolve()
    this.#room = undefined
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

  async #bring(items: readonly Sent[]): Promise<void> {
    this.#number += 1
    const { host, isThere } = this.#parts
    const body = { from: this.#id, number: this.#number, items } as unknown as JsonValue
    const request = nodeRequest(this.#service, body)
    const began = host.now()
    while (!this.#isClosed) {
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await callNode(this.#parts, this.#node, request, nodeContext, Infinity)
      if (outcome.kind !== 'error') return
      const forMs = host.now() - began
      // oxlint-disable-next-line no-await-in-loop
      if (!isWorthTrying(outcome, await isThere(this.#node), forMs)) return
      if (this.#isLeaving && forMs >= leavingPatienceMs) return this.close()
      // oxlint-disable-next-line no-await-in-loop
      await pause(againMs)
    }
  }
}
