import type { Principal } from '@junctor/exchange'
import { isUnauthenticated } from '../shared/is-unauthenticated.ts'
import { matchesPattern } from '../shared/matches-pattern.ts'
import type { Rate, TenantRates } from '../shared/tenant-rates.ts'
import { type CreateLimiter, type NewCalls, RateBucket } from './rate-bucket.ts'
import type { RateRefusal, RateScope } from './rate-refusal.ts'

/** The most principals of one tenant whose calls are counted. Further ones replace the one that was added first. */
const mostPrincipals = 100_000

/** A call, as rates see it. */
export interface RatedCall {
  readonly principal: Principal
  /** The tool as `backend:tool`. `undefined`: it is no call of a tool. */
  readonly tool: string | undefined
}

/** One limit that applies to a call. `name` is equal on every node. */
interface Applying {
  readonly scope: RateScope
  readonly name: string
  readonly rate: Rate
}

/** Calls of one limit, by its name. */
export type NamedCalls = NewCalls & { readonly name: string }

const ofTenant = 'tenant'
const ofPrincipal = 'principal '
const ofTools = 'tools '

/** The calls of one tenant that count against its rates. */
export class RateBook {
  readonly #createLimiter: CreateLimiter
  #rates: TenantRates
  /** The limits of principals, the first added first, and all others. Clients decide how many principals there are. */
  readonly #ofPrincipals = new Map<string, RateBucket>()
  readonly #others = new Map<string, RateBucket>()
  /** The names of limits with calls that were not yet sent to the other nodes. */
  readonly #unsent = new Set<string>()
  #isUrgent = false

  constructor(rates: TenantRates, createLimiter: CreateLimiter) {
    this.#rates = rates
    this.#createLimiter = createLimiter
  }

  /** Replaces the rates. Those that have not changed keep their counts. */
  applyConfig(rates: TenantRates): void {
    this.#rates = rates
    for (const buckets of [this.#ofPrincipals, this.#others]) {
      for (const [name, { rate }] of buckets) {
        const next = this.#rateNamed(name)
        if (next?.calls !== rate.calls || next.windowMs !== rate.windowMs) this.#forget(name)
      }
    }
  }

  /** Counts a call against every rate that applies to it, or against none when one of them has no room. */
  take(call: RatedCall, now: number): RateRefusal | undefined {
    const taken: RateBucket[] = []
    for (const { scope, name, rate } of this.#applying(call)) {
      const bucket = this.#bucket(name, rate)
      this.#unsent.add(name)
      if (!bucket.take(now)) {
        for (const other of taken) other.giveBack(now)
        return { scope, rate, retryAfterMs: bucket.retryAfterMs(now) }
      }
      taken.push(bucket)
      if (bucket.isUrgent) this.#isUrgent = true
    }
    return undefined
  }

  /** Takes back a call that is not made. */
  giveBack(call: RatedCall, now: number): void {
    for (const { name } of this.#applying(call)) this.#bucketsOf(name).get(name)?.giveBack(now)
  }

  /** Counts calls of another node. Those of a limit that this node does not have are ignored. */
  countRemote({ name, ...calls }: NamedCalls, now: number): void {
    const rate = this.#rateNamed(name)
    if (rate !== undefined) this.#bucket(name, rate).countRemote(calls, now)
  }

  /** Takes the calls that were not yet sent to the other nodes. The caller sends them. */
  takeUnsent(): readonly NamedCalls[] {
    const named = [...this.#unsent].flatMap((name) => {
      const calls = this.#bucketsOf(name).get(name)?.takeUnsent()
      return calls === undefined || calls.tried === 0 ? [] : [{ name, ...calls }]
    })
    this.#unsent.clear()
    this.#isUrgent = false
    return named
  }

  /** Whether the calls must be sent to the other nodes soon. */
  get isUrgent(): boolean {
    return this.#isUrgent
  }

  /** Forgets the limits without calls for a whole window. */
  sweep(): void {
    for (const buckets of [this.#ofPrincipals, this.#others]) {
      for (const [name, bucket] of buckets) if (bucket.isForgotten) this.#forget(name)
    }
  }

  /** The number of limits that it remembers: they are counted now, or their calls were not sent yet. */
  get size(): number {
    return new Set([...this.#ofPrincipals.keys(), ...this.#others.keys(), ...this.#unsent]).size
  }

  /** The narrowest first: a principal that is over its own rate uses up nothing of the others. */
  #applying({ principal, tool }: RatedCall): readonly Applying[] {
    const rates = this.#rates
    const found: Applying[] = []
    if (rates.ofPrincipal !== undefined && !isUnauthenticated(principal)) {
      found.push({ scope: 'principal', name: ofPrincipal + principal.key, rate: rates.ofPrincipal })
    }
    if (tool !== undefined) {
      for (const { pattern, rate } of rates.ofTools) {
        if (matchesPattern(pattern, tool)) found.push({ scope: 'tools', name: ofTools + pattern, rate })
      }
    }
    if (rates.ofTenant !== undefined) found.push({ scope: 'tenant', name: ofTenant, rate: rates.ofTenant })
    return found
  }

  #rateNamed(name: string): Rate | undefined {
    if (name === ofTenant) return this.#rates.ofTenant
    if (name.startsWith(ofPrincipal)) return this.#rates.ofPrincipal
    return this.#rates.ofTools.find(({ pattern }) => name === ofTools + pattern)?.rate
  }

  #bucket(name: string, rate: Rate): RateBucket {
    const buckets = this.#bucketsOf(name)
    let bucket = buckets.get(name)
    if (bucket === undefined) {
      const [oldest] = buckets.keys()
      if (buckets.size >= mostPrincipals && oldest !== undefined) this.#forget(oldest)
      bucket = new RateBucket(rate, this.#createLimiter)
      buckets.set(name, bucket)
    }
    return bucket
  }

  /** A node that is alone sends its calls to no other: their names must not stay for ever. */
  #forget(name: string): void {
    this.#bucketsOf(name).delete(name)
    this.#unsent.delete(name)
  }

  #bucketsOf(name: string): Map<string, RateBucket> {
    return name.startsWith(ofPrincipal) ? this.#ofPrincipals : this.#others
  }
}
