import type { Scope } from '@junctor/contracts'
import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../shared/backend-entry.ts'

/** A link that serves one request at a time. */
export interface ExclusiveLink {
  readonly entry: BackendEntry
  /** Its `session` is the id of the link. */
  readonly scope: Scope
  /** The key of the scope that its requests share. */
  readonly shared: string
}

interface OpenLink {
  readonly link: ExclusiveLink
  /** Since when it is free, in epoch milliseconds. `undefined`: a request uses it. */
  freeSince: number | undefined
}

/**
 * The links of requests without a session that must not share one: a backend that does not say which request causes a
 * question or a log message gets one request at a time. The requests of a principal with the same capabilities use a
 * link one after the other. They use the first one that is free: a server that keeps state, such as the page that a
 * browser shows, has the state of all calls that ran one after the other.
 */
export class ExclusiveLinks {
  readonly #close: (link: ExclusiveLink) => void
  /** By the key of the shared scope, in the order in which they were opened. */
  readonly #open = new Map<BackendEntry, Map<string, OpenLink[]>>()
  #count = 0

  /** @param close closes a link permanently */
  constructor(close: (link: ExclusiveLink) => void) {
    this.#close = close
  }

  /** A link that no other request uses. */
  lease(entry: BackendEntry, shared: Scope): ExclusiveLink {
    const free = this.#of(entry, shared.key).find(({ freeSince }) => freeSince !== undefined)
    if (free !== undefined) {
      free.freeSince = undefined
      return free.link
    }
    this.#count += 1
    const id = `link ${this.#count}`
    const link = { entry, scope: { ...shared, session: id, key: id }, shared: shared.key }
    this.#put(link)
    return link
  }

  /** The backends that have links. */
  entries(): Iterable<BackendEntry> {
    return this.#open.keys()
  }

  /** The link that was opened first: requests that run one after the other use it. `undefined`: none is open. */
  first(entry: BackendEntry, shared: Scope): ExclusiveLink | undefined {
    return this.#of(entry, shared.key)[0]?.link
  }

  /** Keeps a link for the next request. */
  giveBack(link: ExclusiveLink, now: number): void {
    const open = this.#of(link.entry, link.shared).find((other) => other.link === link)
    if (open !== undefined) open.freeSince = now
  }

  /** Closes a link whose backend may still be busy with its request: a late question would be the next request's. */
  drop(link: ExclusiveLink): void {
    this.#keepOnly(link.entry, link.shared, (other) => other.link !== link)
  }

  /** Closes the links that were not used since a time, in epoch milliseconds. */
  sweep(before: number): void {
    for (const [entry, links] of this.#open) {
      for (const key of links.keys()) {
        this.#keepOnly(entry, key, ({ freeSince }) => freeSince === undefined || freeSince >= before)
      }
    }
  }

  #of(entry: BackendEntry, key: string): readonly OpenLink[] {
    return this.#open.get(entry)?.get(key) ?? []
  }

  #put(link: ExclusiveLink): void {
    const links = keptOr(this.#open, link.entry, () => new Map())
    links.set(link.shared, [...this.#of(link.entry, link.shared), { link, freeSince: undefined }])
  }

  /** Closes the links of a shared scope that are not kept. */
  #keepOnly(entry: BackendEntry, key: string, isKept: (link: OpenLink) => boolean): void {
    const links = this.#open.get(entry)
    const open = this.#of(entry, key)
    const kept = open.filter(isKept)
    if (kept.length > 0) links?.set(key, kept)
    else links?.delete(key)
    if (links?.size === 0) this.#open.delete(entry)
    for (const other of open) if (!kept.includes(other)) this.#close(other.link)
  }
}
