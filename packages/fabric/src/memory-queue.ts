import type { Lease, Queue } from '@junctor/contracts'
import { type JsonValue, Pending } from '@junctor/jsonrpc'
import type { Expiring, ExpiryTimer } from './expiry-timer.ts'

interface Item {
  readonly id: string
  readonly value: JsonValue
}

/** A node that takes items, and the duration of its loans. */
export interface Borrower {
  readonly node: string
  readonly leaseMs: number
}

const noBorrower: Borrower = { node: '', leaseMs: 0 }

/** An item on loan. */
export interface Loan {
  readonly item: Item
  readonly fence: number
  readonly borrower: Borrower
  expiresAt: number
}

interface Waiter {
  readonly borrower: Borrower
  readonly signal: AbortSignal
  readonly resolve: (loan: Loan | undefined) => void
}

/** The items of one queue, shared by all nodes of a bus. First in, first out, for items and takers alike. */
export class MemoryItems implements Expiring {
  readonly #items = new Pending<Item, string>()
  readonly #ready: Item[] = []
  /** By the ids of their items. */
  readonly #loans = new Pending<Loan, string>()
  readonly #waiters = new Set<Waiter>()
  readonly #watched = new WeakSet<AbortSignal>()
  readonly #timer: ExpiryTimer
  #fence = 0
  /** No loan expires before this time, in epoch milliseconds. */
  #nextEnd = Infinity

  constructor(timer: ExpiryTimer) {
    this.#timer = timer
    timer.add(this)
  }

  push(item: Item): void {
    if (this.#items.has(item.id)) return
    this.#items.set(item.id, item)
    this.#ready.push(item)
    this.#serve()
  }

  /** On loan from the start; undefined: the id is there already. */
  hold(item: Item, borrower: Borrower): Loan | undefined {
    if (this.#items.has(item.id)) return undefined
    this.#items.set(item.id, item)
    const loan = this.#lend(item, borrower, this.#timer.now())
    // A waiting taker is woken when this loan is over.
    if (this.#waiters.size > 0) this.#timer.wake(this.#nextEnd)
    return loan
  }

  /** Waits for an item; undefined when the signal aborts or the borrower's node leaves. */
  take(borrower: Borrower, signal: AbortSignal): Promise<Loan | undefined> {
    if (signal.aborted) return Promise.resolve(undefined)
    this.#watch(signal)
    const { promise, resolve } = Promise.withResolvers<Loan | undefined>()
    this.#waiters.add({ borrower, signal, resolve })
    this.#serve()
    return promise
  }

  /** Adds one listener for all takes with a signal: takers reuse the same signal. */
  #watch(signal: AbortSignal): void {
    if (this.#watched.has(signal)) return
    this.#watched.add(signal)
    signal.addEventListener('abort', () => this.#dismiss((waiter) => waiter.signal === signal), { once: true })
  }

  /** Resolves these waiters without an item. */
  #dismiss(test: (waiter: Waiter) => boolean): void {
    for (const waiter of this.#waiters) if (test(waiter)) this.#settle(waiter, undefined)
  }

  #settle(waiter: Waiter, loan: Loan | undefined): void {
    this.#waiters.delete(waiter)
    waiter.resolve(loan)
  }

  /** Returns false when the loan is over, because it expired or was given back. */
  extend(loan: Loan): boolean {
    if (!this.#holds(loan)) return false
    loan.expiresAt = this.#timer.now() + loan.borrower.leaseMs
    return true
  }

  /** Returns false when the loan is over. */
  finish(loan: Loan): boolean {
    if (!this.#holds(loan)) return false
    this.#loans.take(loan.item.id)
    this.#items.take(loan.item.id)
    return true
  }

  /** @param afterMs how long the item must wait before the next loan, in milliseconds */
  giveBack(loan: Loan, afterMs = 0): void {
    const { item, fence } = loan
    if (this.#loans.get(item.id) !== loan) return
    this.#loans.take(item.id)
    // A loan to no node: the item is free when it expires.
    if (afterMs > 0) this.#wait({ item, fence, borrower: noBorrower, expiresAt: this.#timer.now() + afterMs })
    else this.#ready.unshift(item)
    this.#serve()
  }

  #wait(loan: Loan): void {
    this.#loans.set(loan.item.id, loan)
    this.#nextEnd = Math.min(this.#nextEnd, loan.expiresAt)
  }

  /** Ends the waits of the node, and makes its loans available to others. */
  leave(node: string): void {
    this.#dismiss(({ borrower }) => borrower.node === node)
    for (const loan of this.#loans.values()) if (loan.borrower.node === node) this.giveBack(loan)
  }

  expire(now: number): number | undefined {
    if (this.#nextEnd <= now) this.#takeBack(now)
    for (const waiter of this.#waiters) {
      const item = this.#ready.shift()
      if (item === undefined) break
      this.#settle(waiter, this.#lend(item, waiter.borrower, now))
    }
    // Without a taker, an expired loan needs no action: the next `take` checks itself.
    return this.#waiters.size === 0 || this.#loans.size === 0 ? undefined : this.#nextEnd
  }

  /** Ends expired loans. (A loan that was extended meanwhile expires later than `#nextEnd`: then none ends.) */
  #takeBack(now: number): void {
    const lost = this.#loans.values().filter((loan) => loan.expiresAt <= now)
    for (const loan of lost) this.#loans.take(loan.item.id)
    this.#ready.unshift(...lost.map((loan) => loan.item))
    this.#nextEnd = Math.min(Infinity, ...this.#loans.values().map((loan) => loan.expiresAt))
  }

  #lend(item: Item, borrower: Borrower, now: number): Loan {
    this.#fence += 1
    const loan: Loan = { item, fence: this.#fence, borrower, expiresAt: now + borrower.leaseMs }
    this.#wait(loan)
    return loan
  }

  #serve(): void {
    const next = this.expire(this.#timer.now())
    if (next !== undefined) this.#timer.wake(next)
  }

  #holds(loan: Loan): boolean {
    return this.#loans.get(loan.item.id) === loan && loan.expiresAt > this.#timer.now()
  }
}

/** A node's view of a queue. `check` throws when the node has left. */
export function createMemoryQueue<T extends JsonValue>(
  items: MemoryItems,
  borrower: Borrower,
  check: () => void,
): Queue<T> {
  return {
    async push(id, value) {
      check()
      items.push({ id, value })
    },
    async hold(id, value) {
      check()
      const loan = items.hold({ id, value }, borrower)
      return loan === undefined ? { kind: 'queued' } : { kind: 'lent', lease: leaseOf<T>(items, loan, value) }
    },
    async take(signal) {
      check()
      const loan = await items.take(borrower, signal)
      return loan === undefined ? undefined : leaseOf(items, loan, copyOf(loan.item.value) as T)
    },
  }
}

function leaseOf<T extends JsonValue>(items: MemoryItems, loan: Loan, value: T): Lease<T> {
  return {
    id: loan.item.id,
    value,
    fence: loan.fence,
    extend: async () => items.extend(loan),
    done: async () => items.finish(loan),
    release: async (afterMs) => items.giveBack(loan, afterMs),
  }
}

/** A taker gets a value of its own, as from a queue on another machine. */
function copyOf(value: JsonValue): unknown {
  return JSON.parse(JSON.stringify(value))
}
