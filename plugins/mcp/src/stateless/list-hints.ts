import { type CacheHints, isJsonObject, type Payload } from '@junctor/plugin-sdk/link'

/** The hints of all pages of one list (2026-07-28, Caching): the list may be kept as long as each of its pages. */
export class ListHints {
  #ttlMs = Infinity
  #isPublic = true

  add(page: Payload): void {
    const value = page.value()
    const { ttlMs, cacheScope } = isJsonObject(value) ? value : {}
    this.#ttlMs = Math.min(this.#ttlMs, typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : 0)
    this.#isPublic &&= cacheScope === 'public'
  }

  /** Undefined: there was no page. */
  get least(): CacheHints | undefined {
    if (this.#ttlMs === Infinity) return undefined
    return { ttlMs: this.#ttlMs, scope: this.#isPublic ? 'public' : 'private' }
  }
}
