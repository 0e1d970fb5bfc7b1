import { shareOf } from '@junctor/connection'
import type { CallContext, EndListener } from '@junctor/exchange'
import { methods } from '@junctor/protocol'
import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Timed } from '../../shared/deadlines.ts'
import { isUnauthenticated } from '../../shared/is-unauthenticated.ts'
import type { Call } from './call.ts'
import { FairQueue } from './fair-queue.ts'

/**
 * Whether a call may go to its backend. `backend_full`: as many calls run and wait as the backend takes, or it has waited
 * too long. `principal_full`: its caller has as many calls under way as one may have. `ended`: it ended while it waited.
 */
export type Admission = 'admitted' | 'backend_full' | 'principal_full' | 'ended'

/** The principals that are remembered while they have no calls under way. */
const keptPrincipals = 256

/** The calls of one backend. */
interface BackendCallCount {
  running: number
  readonly waiting: FairQueue<WaitingCall>
}

/**
 * Bounds the calls under way on this node: those of one backend, which wait for each other, and those of one principal.
 * Callers take turns at a backend, so that one with many calls does not keep the others out.
 */
export class CallGate {
  readonly #clock: Clock
  readonly #callsOfPrincipal: number
  readonly #backends = new WeakMap<BackendEntry, BackendCallCount>()
  /** The calls under way of each principal, by its key; also of some that have none now. */
  readonly #principals = new Map<string, { calls: number }>()

  constructor(clock: Clock, callsOfPrincipal: number) {
    this.#clock = clock
    this.#callsOfPrincipal = callsOfPrincipal
  }

  /** Lets a call to a backend in, now or later. Every call that is admitted must `leave` once; the others must not. */
  enter(call: Call, entry: BackendEntry): Admission | Promise<Admission> {
    if (!isCounted(call)) return 'admitted'
    if (!this.#count(call)) return 'principal_full'
    if (entry.concurrency === undefined) return 'admitted'
    const calls = this.#callsOf(entry)
    if (calls.running < entry.concurrency) {
      calls.running += 1
      return 'admitted'
    }
    const owner = ownerOf(call)
    if (!calls.waiting.hasRoom(owner, { all: entry.queue, ofOwner: shareOf(entry.queue) })) {
      this.#uncount(call)
      return 'backend_full'
    }
    return this.#wait(call, entry, calls, owner)
  }

  /** Ends a call that was admitted. The next one that waits for its backend is admitted in its place. */
  leave(call: Call, entry: BackendEntry): void {
    if (!isCounted(call)) return
    this.#uncount(call)
    if (entry.concurrency === undefined) return
    const calls = this.#callsOf(entry)
    for (let next = calls.waiting.next(); next !== undefined; next = calls.waiting.next()) {
      if (next.settle('admitted')) return
    }
    calls.running -= 1
  }

  /** The calls that wait for a backend. */
  waiting(entry: BackendEntry): number {
    return this.#backends.get(entry)?.waiting.size ?? 0
  }

  async #wait(call: Call, entry: BackendEntry, calls: BackendCallCount, owner: string): Promise<Admission> {
    const waiting = new WaitingCall(this.#clock.now() + entry.timeoutMs)
    calls.waiting.add(owner, waiting)
    this.#clock.deadlines.add(waiting)
    call.exchange.onEnd(waiting)
    const admission = await waiting.settled
    calls.waiting.remove(owner, waiting)
    this.#clock.deadlines.remove(waiting)
    if (admission !== 'admitted') this.#uncount(call)
    return admission
  }

  #callsOf(entry: BackendEntry): BackendCallCount {
    return keptOr(this.#backends, entry, noneOfBackend)
  }

  #count({ exchange: { context } }: Call): boolean {
    if (!isOfPrincipal(context)) return true
    const count = keptOr(this.#principals, context.principal.key, noneOfPrincipal)
    if (count.calls >= this.#callsOfPrincipal) return false
    count.calls += 1
    return true
  }

  #uncount({ exchange: { context } }: Call): void {
    if (!isOfPrincipal(context)) return
    const { key } = context.principal
    const count = this.#principals.get(key)
    if (count === undefined) return
    count.calls -= 1
    // A caller that calls again and again is not removed and added each time.
    if (count.calls === 0 && this.#principals.size > keptPrincipals) this.#principals.delete(key)
  }
}

/** A call that waits for its turn. */
class WaitingCall implements Timed, EndListener {
  readonly deadline: number
  readonly #settled = Promise.withResolvers<Admission>()
  #isSettled = false

  constructor(deadline: number) {
    this.deadline = deadline
  }

  get settled(): Promise<Admission> {
    return this.#settled.promise
  }

  /** Returns false when it was settled before: it may have ended a moment ago, and still be in the queue. */
  settle(admission: Admission): boolean {
    if (this.#isSettled) return false
    this.#isSettled = true
    this.#settled.resolve(admission)
    return true
  }

  expire(): void {
    this.settle('backend_full')
  }

  ended(): void {
    this.settle('ended')
  }
}

/**
 * A call that a backend makes for another call is not counted: otherwise the two calls could wait for each other. A
 * subscription is not counted either, because it lasts as long as its client.
 */
function isCounted({ request, exchange }: Call): boolean {
  return exchange.context.chain === undefined && request.method !== methods.subscriptionsListen
}

/** Jobs have bounds of their own, and callers without credentials are many clients. */
function isOfPrincipal({ job, principal }: CallContext): boolean {
  return job === undefined && !isUnauthenticated(principal)
}

/** The owner of a call in the queue: a principal of a tenant, or a session of a caller without credentials. */
function ownerOf({ caller, exchange: { context } }: Call): string {
  return isUnauthenticated(context.principal) ? `session ${caller.id}` : `${context.tenant} ${context.principal.key}`
}

// Functions, and not closures that each call would make.
function noneOfBackend(): BackendCallCount {
  return { running: 0, waiting: new FairQueue() }
}

function noneOfPrincipal(): { calls: number } {
  return { calls: 0 }
}
