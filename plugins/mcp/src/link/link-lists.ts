import { createHash } from 'node:crypto'
import { type ListKind, type Payload, printPayload, type ServerInfo } from '@junctor/plugin-sdk/link'
import type { Ask } from './ask.ts'
import { listPages } from './list-pages.ts'

/** Asks for the lists of one link, and keeps what was wrong with the last one of each kind, and how to know it again. */
export class LinkLists {
  readonly #problems = new Map<ListKind, string | undefined>()
  readonly #digests = new Map<ListKind, string>()

  /** The items of `listPages`. */
  async list(
    kind: ListKind,
    server: ServerInfo,
    ask: Ask,
    seen?: (page: Payload) => void,
  ): Promise<readonly Payload[]> {
    const { items, problem } = await listPages(kind, server, ask, seen)
    this.#problems.set(kind, problem)
    this.#digests.set(kind, digestOf(items))
    return items
  }

  /** The digest of the items that came last. `undefined`: none came. */
  digest(kind: ListKind): string | undefined {
    return this.#digests.get(kind)
  }

  /** See `Link.listProblem`. */
  problem(kind: ListKind): string | undefined {
    return this.#problems.get(kind)
  }
}

function digestOf(items: readonly Payload[]): string {
  const hash = createHash('sha256')
  for (const item of items) hash.update(printPayload(item))
  return hash.digest('base64')
}
