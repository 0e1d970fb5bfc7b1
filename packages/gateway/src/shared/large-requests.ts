import { getHeapStatistics } from 'node:v8'
import type { Principal } from '@junctor/exchange'
import { isUnauthenticated } from './is-unauthenticated.ts'

/** The part of the memory of the process that large requests may have. */
const partOfHeap = 1 / 2

/** The part of that which one principal may have. */
const partOfPrincipal = 3 / 4

/** Ends the count of a request. */
export type Leave = () => void

/**
 * How large the requests under way at this node are. Their number is bounded, but a few hundred of the largest fill the memory
 * faster than the load of the node is read.
 */
export class LargeRequests {
  readonly #most: number
  readonly #ofPrincipals = new Map<string, number>()
  #all = 0

  /** @param most the bytes that all of them may need */
  constructor(most: number = getHeapStatistics().heap_size_limit * partOfHeap) {
    this.#most = most
  }

  /**
   * Counts a request until the returned function is called. Undefined: there is no room for it. One alone may have any length.
   *
   * @param text of its params
   */
  enter(text: string, principal: Principal): Leave | undefined {
    const bytes = memoryOf(text)
    const { key } = principal
    const own = this.#ofPrincipals.get(key) ?? 0
    if (this.#all > 0 && this.#all + bytes > this.#most) return undefined
    const isOwnOver = own > 0 && own + bytes > this.#most * partOfPrincipal
    if (isOwnOver && !isUnauthenticated(principal)) return undefined
    this.#add(key, bytes)
    let isCounted = true
    return () => {
      if (isCounted) this.#add(key, -bytes)
      isCounted = false
    }
  }

  #add(key: string, bytes: number): void {
    this.#all += bytes
    const own = (this.#ofPrincipals.get(key) ?? 0) + bytes
    if (own === 0) this.#ofPrincipals.delete(key)
    else this.#ofPrincipals.set(key, own)
  }
}

/** What each character of a request needs, in bytes: it is there several times, as text, as values, and for its backend. */
const ofCharacter = 4

/** What each object or array needs besides its text, and each of its members. */
const ofObject = 64
const ofMember = 16

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b]

/** About how much memory a request needs, in bytes. Texts with brackets and commas count for somewhat more than they need. */
export function memoryOf(text: string): number {
  let bytes = text.length * ofCharacter
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === comma) bytes += ofMember
    else if (code === brace || code === bracket) bytes += ofObject
  }
  return bytes
}
