import type { Scope, ServerInfo } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { canonical } from '../links/scope.ts'
import type { Snapshot } from './snapshot.ts'

/** What one ask came to: a snapshot, or that there is none. */
export interface ListAnswer {
  readonly snapshot: Snapshot | undefined
  /** Epoch milliseconds from which the backend is to be asked again. */
  readonly expires: number
  /** Why there is no snapshot, unless the backend was not reached at all. */
  readonly failure?: Error
}

/** What this node knows of what its backends offer. It asks nobody: see `CatalogueLoader`. */
export class BackendCatalogue {
  readonly #now: () => number
  /** By backend: what sessions with equal capabilities share, and what one link's scope alone has seen change. */
  readonly #known = new Map<BackendEntry, Map<string, ListAnswer>>()
  /** Scopes whose lists have changed for them alone, each with its backend's name. */
  readonly #own = new Set<string>()
  readonly #servers = new WeakMap<BackendEntry, ServerInfo>()
  readonly #changes = new WeakMap<BackendEntry, number>()
  #version = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Rises with every change, so that what was derived from an older one is known to be old. */
  get version(): number {
    return this.#version
  }

  /** What the backend offers to the scope; `undefined` when that has to be asked first. */
  current(entry: BackendEntry, scope: Scope): Snapshot | undefined {
    return this.#fresh(entry, scope)?.snapshot
  }

  /** The same, but what is known to be old is better than nothing. */
  latest(entry: BackendEntry, scope: Scope): Snapshot | undefined {
    return this.#answer(entry, scope)?.snapshot
  }

  /** Whether the backend need not be asked now: its answer is known, or it has failed a moment ago. */
  isFresh(entry: BackendEntry, scope: Scope): boolean {
    return this.#fresh(entry, scope) !== undefined
  }

  /** Why the backend, which was reached, did not list what it offers to the scope; `undefined` when it did. */
  failure(entry: BackendEntry, scope: Scope): Error | undefined {
    return this.#answer(entry, scope)?.failure
  }

  /** What the backend last told of itself. */
  server(entry: BackendEntry): ServerInfo | undefined {
    return this.#servers.get(entry)
  }

  /** The same for all scopes of the backend that share one answer. */
  keyOf(entry: BackendEntry, scope: Scope): string {
    return this.#own.has(ownKey(entry, scope)) ? scope.key : commonKey(scope)
  }

  /** Changes of the backend so far: an answer that was asked for before one of them is old when it comes. */
  changes(entry: BackendEntry): number {
    return this.#changes.get(entry) ?? 0
  }

  /** Keeps what the slot's link answered, unless the slot was retired meanwhile: then it does not hold for others. */
  keep({ entry, scope, retired }: LinkSlot, answer: ListAnswer): void {
    if (answer.snapshot !== undefined) this.#servers.set(entry, answer.snapshot.server)
    // The key is computed now: a change meanwhile may have set the scope apart from the others.
    if (!retired) this.#put(entry, this.keyOf(entry, scope), answer)
  }

  /** The lists of the slot's link have changed. */
  changed({ entry, scope }: LinkSlot): void {
    // A session's own link speaks for that session alone: what changed there need not have changed for others.
    const common = commonKey(scope)
    const own = ownKey(entry, scope)
    if (scope.session !== undefined && !this.#own.has(own)) {
      this.#own.add(own)
      const answer = this.#known.get(entry)?.get(common)
      if (answer !== undefined) this.#put(entry, scope.key, answer)
    }
    this.#age(entry, scope.key)
    this.#age(entry, common)
    this.#change(entry)
  }

  /** The backend is gone or back: everything of it is asked again. */
  forget(entry: BackendEntry): void {
    this.#known.delete(entry)
    this.#change(entry)
  }

  /** The scope is gone for good, and with it what only its link saw. */
  retired(entry: BackendEntry, scope: Scope): void {
    this.#own.delete(ownKey(entry, scope))
    this.#known.get(entry)?.delete(scope.key)
  }

  #answer(entry: BackendEntry, scope: Scope): ListAnswer | undefined {
    return this.#known.get(entry)?.get(this.keyOf(entry, scope))
  }

  #fresh(entry: BackendEntry, scope: Scope): ListAnswer | undefined {
    const answer = this.#answer(entry, scope)
    return answer !== undefined && answer.expires > this.#now() ? answer : undefined
  }

  #put(entry: BackendEntry, key: string, answer: ListAnswer): void {
    let answers = this.#known.get(entry)
    if (answers === undefined) this.#known.set(entry, (answers = new Map()))
    answers.set(key, answer)
    this.#version += 1
  }

  /** What is known stays until there is better, but is asked again. */
  #age(entry: BackendEntry, key: string): void {
    const answers = this.#known.get(entry)
    const answer = answers?.get(key)
    if (answer !== undefined) answers?.set(key, { ...answer, expires: 0 })
  }

  #change(entry: BackendEntry): void {
    this.#changes.set(entry, this.changes(entry) + 1)
    this.#version += 1
  }
}

function ownKey({ backend }: BackendEntry, { key }: Scope): string {
  return `${backend.name} ${key}`
}

/** Sessions of a tenant that declare the same are offered the same. */
function commonKey({ tenant, capabilities }: Scope): string {
  return `common ${tenant} ${canonical(capabilities)}`
}
