import type { Emit } from '@junctor/contracts'
import { keptOr, PacedCounts } from '@junctor/primitives'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { TenantRates } from '../shared/tenant-rates.ts'
import type { CreateLimiter } from './rate-bucket.ts'
import { type NamedCalls, RateBook, type RatedCall } from './rate-book.ts'
import type { RateRefusal, RateScope } from './rate-refusal.ts'

/** Calls of one tenant, for the other nodes. */
export interface TenantCalls {
  readonly tenant: string
  readonly calls: readonly NamedCalls[]
}

/** The rates of all tenants of a node. */
export class CallRates {
  readonly #emit: Emit
  readonly #books = new Map<string, RateBook>()
  readonly #refusals = new Map<string, PacedCounts<RateScope>>()
  /** Called when calls must be sent to the other nodes soon. */
  onUrgent: () => void = () => {}

  /** @param emit where refusals are reported */
  constructor(emit: Emit) {
    this.#emit = emit
  }

  /** Replaces the rates of all tenants. Those that have not changed keep their counts. */
  async applyConfig(tenants: readonly Pick<TenantEntry, 'rates'>[]): Promise<void> {
    const rated = tenants.flatMap(({ rates }) => (rates === undefined ? [] : [rates]))
    const names = new Set(rated.map(({ tenant }) => tenant))
    for (const name of this.#books.keys()) if (!names.has(name)) this.#forget(name)
    if (rated.length === 0) return
    const createLimiter = await loadLimiter()
    for (const rates of rated) {
      const book = this.#books.get(rates.tenant)
      if (book === undefined) this.#books.set(rates.tenant, new RateBook(rates, createLimiter))
      else book.applyConfig(rates)
    }
  }

  /** Counts a call. Returns why it is refused; `undefined`: it may be made. */
  take({ tenant }: TenantRates, call: RatedCall): RateRefusal | undefined {
    const book = this.#books.get(tenant)
    if (book === undefined) return undefined
    const refusal = book.take(call, performance.now())
    if (book.isUrgent) this.onUrgent()
    if (refusal !== undefined) {
      const { scope } = refusal
      this.#emit({ kind: 'rate_exceeded', tenant, scope, refusals: this.#paced(tenant).add(scope) })
    }
    return refusal
  }

  /** Takes back a call that is not made. */
  giveBack({ tenant }: TenantRates, call: RatedCall): void {
    this.#books.get(tenant)?.giveBack(call, performance.now())
  }

  /** Counts calls of another node. */
  countRemote({ tenant, calls }: TenantCalls): void {
    const book = this.#books.get(tenant)
    for (const named of calls) book?.countRemote(named, performance.now())
  }

  /** Takes the calls that were not yet sent to the other nodes. The caller sends them. */
  takeUnsent(): readonly TenantCalls[] {
    const unsent = [...this.#books].map(([tenant, book]) => ({ tenant, calls: book.takeUnsent() }))
    return unsent.filter(({ calls }) => calls.length > 0)
  }

  /** Forgets the callers that made no calls lately. */
  sweep(): void {
    for (const book of this.#books.values()) book.sweep()
  }

  /** The number of limits that are counted now. */
  get size(): number {
    return [...this.#books.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #paced(tenant: string): PacedCounts<RateScope> {
    return keptOr(this.#refusals, tenant, () => new PacedCounts<RateScope>())
  }

  #forget(name: string): void {
    this.#books.delete(name)
    this.#refusals.delete(name)
  }
}

/** Loads the library, which only gateways with rates need. */
async function loadLimiter(): Promise<CreateLimiter> {
  const { RateLimiterMemory } = await import('rate-limiter-flexible')
  return (calls, forMs) => new RateLimiterMemory({ points: calls, duration: forMs / 1000, keyPrefix: '' })
}
