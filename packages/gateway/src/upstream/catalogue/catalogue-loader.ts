import type { Link, ListKind, Log, Scope } from '@junctor/contracts'
import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { waitAtMost } from '../../shared/timeouts.ts'
import { codeOf } from '../links/link-errors.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import type { BackendCatalogue } from './backend-catalogue.ts'
import { changedKinds } from './changed-kinds.ts'
import { ListAsk } from './list-ask.ts'
import { listKinds } from './snapshot.ts'

/** The catalogue, and the links on which backends are asked for their lists. */
export interface CatalogueLoaderParts {
  readonly catalogue: BackendCatalogue
  readonly pool: Pick<LinkPool, 'slot' | 'acquire' | 'release'>
  readonly log: Log
  readonly clock: Clock
  /**
   * Called with lists that callers do not know: they arrived after a caller had continued without them, or differ from
   * those that were valid for a while. With a scope, only its callers see them.
   */
  readonly news: (entry: BackendEntry, kinds: readonly ListKind[], scope?: Scope) => void
}

/** A running query, and when it began, in epoch milliseconds. */
interface Flight {
  readonly answered: Promise<void>
  readonly since: number
  /** Whether a caller has continued without the answer. */
  missed: boolean
}

/** For whom a backend is asked. */
interface Owner {
  readonly ended: boolean
}

const nobody: Owner = { ended: false }

/** Fills the catalogue. Callers that would get the same answer share one query. */
export class CatalogueLoader {
  readonly #parts: CatalogueLoaderParts
  readonly #ask: ListAsk
  /** By backend, then by the key of the answer. A new configuration makes another backend, also under the same name. */
  readonly #flights = new WeakMap<BackendEntry, Map<string, Flight>>()

  constructor(parts: CatalogueLoaderParts) {
    this.#parts = parts
    this.#ask = new ListAsk(parts.catalogue, parts.log, parts.clock)
  }

  /**
   * Asks the backend, once for all waiting callers. Resolves when the query has ended, or `timeoutMs` after it began:
   * a backend that hangs delays the first callers, but not every later caller as long again. Never rejects.
   *
   * @param owner of the scope. Once it has ended, no link is opened for it, because nothing would close that. Default: the
   *   scope has no owner that ends
   */
  async load(entry: BackendEntry, scope: Scope, timeoutMs: number, owner: Owner = nobody): Promise<void> {
    const { catalogue } = this.#parts
    if (owner.ended || catalogue.isFresh(entry, scope)) return
    const joins = this.#flightsOf(entry).has(catalogue.keyOf(entry, scope))
    await this.#wait(entry, scope, timeoutMs)
    // Another session asked, and its answer does not count here: the session has ended, or its lists became its own.
    if (joins && !owner.ended && !catalogue.isFresh(entry, scope)) await this.#wait(entry, scope, timeoutMs)
  }

  /** The lists of a link, which replaces another, that differ from those that are known. Never rejects. */
  async changedLists(slot: LinkSlot, link: Link): Promise<readonly ListKind[]> {
    const before = this.#parts.catalogue.latest(slot.entry, slot.scope)
    if (before === undefined) return []
    const { snapshot } = await this.#ask.run(slot, link)
    return snapshot === undefined ? [] : changedKinds(before, snapshot)
  }

  async #wait(entry: BackendEntry, scope: Scope, timeoutMs: number): Promise<void> {
    const { clock, catalogue } = this.#parts
    const flights = this.#flightsOf(entry)
    const key = catalogue.keyOf(entry, scope)
    const flight = flights.get(key) ?? this.#start(flights, key, entry, scope)
    const leftMs = flight.since + timeoutMs - clock.now()
    if (leftMs > 0) await waitAtMost(clock, leftMs, flight.answered)
    // A caller that does not wait at all need not be notified.
    if (timeoutMs > 0 && flights.get(key) === flight && !flight.missed) {
      flight.missed = true
      this.#parts.log.warn('a backend has not listed what it offers yet; clients go on without it', {
        backend: entry.backend.name,
        waitedMs: timeoutMs,
      })
    }
  }

  #start(flights: Map<string, Flight>, key: string, entry: BackendEntry, scope: Scope): Flight {
    const { pool, clock } = this.#parts
    const slot = pool.slot(entry, scope)
    const answered = this.#load(slot).finally(() => {
      flights.delete(key)
      pool.release(slot)
      if (flight.missed) this.#reportLate(entry, scope)
    })
    const flight: Flight = { answered, since: clock.now(), missed: false }
    flights.set(key, flight)
    return flight
  }

  async #load(slot: LinkSlot): Promise<void> {
    const { catalogue, pool, news } = this.#parts
    const { entry, scope } = slot
    const before = catalogue.lapsed(entry, scope)
    let answer = await this.#ask.run(slot, await pool.acquire(slot))
    if (answer.failure !== undefined && codeOf(answer.failure) === 'NODE_LEFT') {
      pool.release(slot)
      // Another node may host the backend too.
      answer = await this.#ask.run(slot, await pool.acquire(slot))
    }
    catalogue.keep(slot, answer)
    const kinds = before && answer.snapshot ? changedKinds(before, answer.snapshot) : []
    if (kinds.length > 0) news(entry, kinds, catalogue.keyOf(entry, scope) === scope.key ? scope : undefined)
  }

  #reportLate(entry: BackendEntry, scope: Scope): void {
    const lists = this.#parts.catalogue.current(entry, scope)?.lists
    if (lists === undefined) return
    const kinds = listKinds.filter((kind) => lists[kind].length > 0)
    this.#parts.news(entry, kinds)
  }

  #flightsOf(entry: BackendEntry): Map<string, Flight> {
    return keptOr(this.#flights, entry, () => new Map())
  }
}
