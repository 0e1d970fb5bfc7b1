import type { CallContext } from '@junctor/exchange'
import { LRUCache } from 'lru-cache'

/** What is the same in all calls of a session. */
export type SessionContext = Omit<CallContext, 'trace'>

/** Characters of the openings that contexts came with: 16 Mi, some ten thousand sessions. */
const mostCharacters = 16_777_216

/** Contexts that other nodes have told this one, by their names. Those that were not used for the longest time go first. */
export class KnownContexts {
  readonly #contexts: LRUCache<string, SessionContext>

  /** @param most characters of all of them */
  constructor(most: number = mostCharacters) {
    this.#contexts = new LRUCache({ maxSize: most })
  }

  /** @param characters what it came with, at least 1 */
  keep(name: string, context: SessionContext, characters: number): void {
    this.#contexts.set(name, context, { size: characters })
  }

  get(name: string): SessionContext | undefined {
    return this.#contexts.get(name)
  }
}
