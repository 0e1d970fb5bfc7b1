import { type CacheHints, isJsonObject, type Payload } from '@junctor/plugin-sdk/link'

/** The hints of all pages of one list (2026-07-28, Caching): the list may be kept as long as each of its pages. */
export class ListHints {
  #ttlMs = Infinity
  #isPublic = true
  /** Whether all pages say how long they may be kept. */
  #isDeclared = true

  add(page: Payload): void {
    const value = page.value()
    const { ttlMs, cacheScope } = isJsonObject(value) ? value : {}
    if (typeof ttlMs === 'number') this.#ttlMs = Math.min(this.#ttlMs, Math.max(0, ttlMs))
    else this.#isDeclared = false
    this.#isPublic &&= cacheScope === 'public'
  }

  /** Undefined: there was no page, or one that says nothing. */
  get least(): CacheHints | undefined {
    if (this.#ttlMs === Infinity || !this.#isDeclared) return undefined
    return { ttlMs: this.#ttlMs, scope: this.#isPublic ? 'public' : 'private' }
  }
}
