import type { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Rate } from '../shared/tenant-rates.ts'
import { nodeRoom } from './node-room.ts'

/** The only key in the limiter of a bucket. */
const key = ''

/** Calls of this window since the last message to the other nodes. */
export interface NewCalls {
  /** All that clients tried, admitted or not. */
  readonly tried: number
  readonly admitted: number
}

/** Creates a limiter that remembers its calls for this many milliseconds. */
export type CreateLimiter = (calls: number, forMs: number) => RateLimiterMemory

/**
 * The calls that count against one limit: of a tenant, of one principal, or of the tools of one pattern.
 *
 * The limiter counts the calls of this node in the current window, which begins with the first call, and forgets them
 * when there was no call for a window. When a window ends is decided here, because the limiter uses the system's clock,
 * which may be set. It has one key, because the limiter of the library reports the count of all its keys only together
 * without a promise.
 */
export class RateBucket {
  readonly rate: Rate
  readonly #limiter: RateLimiterMemory
  /** The end of the window, by the clock of the caller; 0: none has begun. */
  #end = 0
  #ownBefore = 0
  #othersBefore = 0
  #othersTried = 0
  #othersAdmitted = 0
  #newTried = 0
  #newAdmitted = 0

  constructor(rate: Rate, createLimiter: CreateLimiter) {
    this.rate = rate
    this.#limiter = createLimiter(rate.calls, 2 * rate.windowMs)
  }

  /** Counts a call. Returns whether it is admitted. */
  take(now: number): boolean {
    this.#begin(now)
    void this.#limiter.penalty(key)
    const isAdmitted = (this.#record()?.value ?? 0) <= this.#room()
    this.#newTried += 1
    if (isAdmitted) this.#newAdmitted += 1
    return isAdmitted
  }

  /** Takes back a call that was admitted, because it is not made. */
  giveBack(now: number): void {
    this.#begin(now)
    if ((this.#record()?.value ?? 0) === 0) return
    void this.#limiter.reward(key)
    this.#newTried = Math.max(0, this.#newTried - 1)
    this.#newAdmitted = Math.max(0, this.#newAdmitted - 1)
  }

  /** Counts calls of another node. */
  countRemote({ tried, admitted }: NewCalls, now: number): void {
    this.#begin(now)
    this.#othersTried += tried
    this.#othersAdmitted += admitted
  }

  /** Takes the calls that were not yet sent to the other nodes. The caller sends them. */
  takeUnsent(): NewCalls {
    const calls = { tried: this.#newTried, admitted: this.#newAdmitted }
    this.#newTried = 0
    this.#newAdmitted = 0
    return calls
  }

  /**
   * Whether its calls must be sent to the other nodes soon: from a fortieth of the limit on. Each of two nodes then
   * admits at most a fortieth too many.
   */
  get isUrgent(): boolean {
    return this.#newAdmitted * 40 >= this.rate.calls
  }

  /** How long until the next window, in milliseconds. */
  retryAfterMs(now: number): number {
    const record = this.#record()
    return record === undefined ? 0 : Math.max(1, Math.ceil(this.#end - now))
  }

  /** Whether there was no call for so long that the bucket can be removed. */
  get isForgotten(): boolean {
    return this.#record() === undefined
  }

  #room(): number {
    return nodeRoom({
      limit: this.rate.calls,
      ownBefore: this.#ownBefore,
      othersBefore: this.#othersBefore,
      othersNow: this.#othersAdmitted,
    })
  }

  /** Begins a window, unless one has begun. */
  #begin(now: number): void {
    if (now < this.#end) return
    const record = this.#record()
    const isNext = record !== undefined && now < this.#end + this.rate.windowMs
    this.#ownBefore = isNext ? record.value : 0
    this.#othersBefore = isNext ? this.#othersTried : 0
    this.#othersTried = 0
    this.#othersAdmitted = 0
    // Those of an earlier window would count against this one.
    this.#newTried = 0
    this.#newAdmitted = 0
    void this.#limiter.delete(key)
    void this.#limiter.penalty(key, 0)
    this.#end = now + this.rate.windowMs
  }

  /** The calls of this node. `undefined`: none for a whole window. */
  #record(): LimiterRecord | undefined {
    return this.#limiter.dump().storage[0]
  }
}

type LimiterRecord = ReturnType<RateLimiterMemory['dump']>['storage'][number]
