import type { CallContext, ClientDescription } from '@junctor/exchange'

/** How an opening tells the context of its call: in full, perhaps with a name for later ones, or by that name. */
export type ToldContext =
  | { readonly kind: 'full'; readonly name: string | undefined }
  | { readonly kind: 'named'; readonly name: string }

/** A session calls few nodes; those that are gone are forgotten with all others. */
const mostNodes = 64

interface NamedContext {
  readonly context: CallContext
  /** Undefined: it was seen once, and may never be again. */
  name: string | undefined
  readonly toldTo: Set<string>
}

/** In full, and without a name. */
export const inFull: ToldContext = { kind: 'full', name: undefined }

/**
 * Names for the contexts of calls: all that is the same in each call of a session, and more than half of what a small
 * call says. A node that has been told a context is told its name from then on. It may have forgotten it, or be another
 * one of the same name, and then asks for it.
 */
export class ContextNames {
  readonly #prefix: string
  readonly #named = new WeakMap<ClientDescription, NamedContext>()
  #count = 0

  /** @param prefix what no other node's names begin with, ever */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** How to tell a node, which from now on counts as told. */
  tell(context: CallContext, node: string): ToldContext {
    const named = this.#named.get(context.client)
    if (named === undefined || !isSame(named.context, context)) {
      this.#named.set(context.client, { context, name: undefined, toldTo: new Set() })
      return inFull
    }
    const { toldTo } = named
    if (named.name === undefined) {
      this.#count += 1
      named.name = `${this.#prefix}-${this.#count.toString(36)}`
    }
    if (toldTo.has(node)) return { kind: 'named', name: named.name }
    if (toldTo.size === mostNodes) toldTo.clear()
    toldTo.add(node)
    return { kind: 'full', name: named.name }
  }

  /** The node does not know the context. */
  forget(context: CallContext, node: string): void {
    this.#named.get(context.client)?.toldTo.delete(node)
  }
}

/** Whether two contexts of one client differ in nothing but their traces. */
function isSame(one: CallContext, other: CallContext): boolean {
  return (
    one.session === other.session &&
    one.principal === other.principal &&
    one.tenant === other.tenant &&
    one.revision === other.revision &&
    one.extensions === other.extensions &&
    one.job === other.job
  )
}
