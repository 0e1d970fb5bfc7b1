import type { Scope } from '@junctor/contracts'
import type { BackendEntry } from '../shared/backend-entry.ts'

/** A link that serves one request at a time. */
export interface ExclusiveLink {
  readonly entry: BackendEntry
  /** Its place in the order in which links were opened. */
  readonly number: number
  /** Its `session` is the id of the link. */
  readonly scope: Scope
  /** The key of the scope that its requests share. */
  readonly shared: string
}

interface FreeLink {
  readonly link: ExclusiveLink
  /** Epoch milliseconds. */
  readonly since: number
}

/**
 * The links of requests without a session that must not share one: a backend that does not say which request causes a
 * question or a log message gets one request at a time. The requests of a principal with the same capabilities use a
 * link one after the other. They use the first one that is free: a server that keeps state, such as the page that a
 * browser shows, has the state of all calls that ran one after the other.
 */
export class ExclusiveLinks {
  readonly #close: (link: ExclusiveLink) => void
  /** By the key of the shared scope, in the order of their numbers. */
  readonly #free = new Map<BackendEntry, Map<string, FreeLink[]>>()
  #count = 0

  /** @param close closes a link permanently */
  constructor(close: (link: ExclusiveLink) => void) {
    this.#close = close
  }

  /** A link that no other request uses. */
  lease(entry: BackendEntry, shared: Scope): ExclusiveLink {
    const free = this.#free.get(entry)?.get(shared.key)?.shift()
    if (free !== undefined) return free.link
    this.#count += 1
    const number = this.#count
    const id = `link ${number}`
    return { entry, number, scope: { ...shared, session: id, key: id }, shared: shared.key }
  }

  /** Keeps a link for the next request. */
  giveBack(link: ExclusiveLink, now: number): void {
    let links = this.#free.get(link.entry)
    if (links === undefined) this.#free.set(link.entry, (links = new Map()))
    const free = links.get(link.shared) ?? []
    const later = free.findIndex((other) => other.link.number > link.number)
    free.splice(later < 0 ? free.length : later, 0, { link, since: now })
    links.set(link.shared, free)
  }

  /** Closes a link whose backend may still be busy with its request: a late question would be the next request's. */
  drop(link: ExclusiveLink): void {
    this.#close(link)
  }

  /** Closes the links that were not used since a time, in epoch milliseconds. */
  sweep(before: number): void {
    for (const [entry, links] of this.#free) {
      for (const [key, free] of links) {
        const kept = free.filter(({ since }) => since >= before)
        for (const { link, since } of free) if (since < before) this.#close(link)
        if (kept.length === 0) links.delete(key)
        else links.set(key, kept)
      }
      if (links.size === 0) this.#free.delete(entry)
    }
  }
}
