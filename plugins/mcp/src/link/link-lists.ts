import type { ListKind, Payload, ServerInfo } from '@junctor/plugin-sdk/link'
import type { Ask } from './ask.ts'
import { listPages } from './list-pages.ts'

/** Asks for the lists of one link, and keeps what was wrong with the last one of each kind. */
export class LinkLists {
  readonly #problems = new Map<ListKind, string | undefined>()

  /** The items of `listPages`. */
  async list(
    kind: ListKind,
    server: ServerInfo,
    ask: Ask,
    seen?: (page: Payload) => void,
  ): Promise<readonly Payload[]> {
    const { items, problem } = await listPages(kind, server, ask, seen)
    this.#problems.set(kind, problem)
    return items
  }

  /** See `Link.listProblem`. */
  problem(kind: ListKind): string | undefined {
    return this.#problems.get(kind)
  }
}
