import type { CallContext } from '@junctor/exchange'
import { LRUCache } from 'lru-cache'

/** The part of the context that is the same in all calls of a session. */
export type SessionContext = Omit<CallContext, 'trace' | 'chain'>

/** The limit of all openings that contexts came with, in characters: 16 Mi, some ten thousand sessions. */
const mostCharacters = 16_777_216

/** Contexts that other nodes have sent to this one, by name. The least recently used ones are removed first. */
export class KnownContexts {
  readonly #contexts: LRUCache<string, SessionContext>

  /** @param most the limit of all of them, in characters */
  constructor(most: number = mostCharacters) {
    this.#contexts = new LRUCache({ maxSize: most })
  }

  /**
   * Remembers a context by its name.
   *
   * @param characters the size of the opening, at least 1
   */
  keep(name: string, context: SessionContext, characters: number): void {
    this.#contexts.set(name, context, { size: characters })
  }

  /** The context of that name, or `undefined` when it is not known, or no more. */
  get(name: string): SessionContext | undefined {
    return this.#contexts.get(name)
  }
}
