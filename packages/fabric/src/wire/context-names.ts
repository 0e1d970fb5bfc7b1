import type { CallContext, ClientDescription } from '@junctor/exchange'

/** How an opening carries the context of its call: in full, perhaps with a name for later, or as a name alone. */
export type SentContext =
  | { readonly kind: 'full'; readonly name: string | undefined }
  | { readonly kind: 'named'; readonly name: string }

/** How many nodes are remembered for a context. A session calls few nodes; above the limit all are forgotten. */
const mostNodes = 64

interface NamedContext {
  readonly context: CallContext
  /** Undefined while the context was seen only once. */
  name: string | undefined
  readonly sentTo: Set<string>
}

/** In full, without a name. */
export const inFull: SentContext = { kind: 'full', name: undefined }

/**
 * Names for the contexts of calls: the part that is the same in each call of a session, and more than half of a small
 * call. A node that has received a context gets only its name from then on. If the node has forgotten it, or was
 * replaced by another one of the same name, it asks for the context.
 */
export class ContextNames {
  readonly #prefix: string
  readonly #named = new WeakMap<ClientDescription, NamedContext>()
  #count = 0

  /** @param prefix unique to this node's names, permanently */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** How to send a context to a node. From now on the node counts as knowing it. */
  send(context: CallContext, node: string): SentContext {
    const named = this.#named.get(context.client)
    if (named === undefined || !isSame(named.context, context)) {
      this.#named.set(context.client, { context, name: undefined, sentTo: new Set() })
      return inFull
    }
    const { sentTo } = named
    if (named.name === undefined) {
      this.#count += 1
      named.name = `${this.#prefix}-${this.#count.toString(36)}`
    }
    if (sentTo.has(node)) return { kind: 'named', name: named.name }
    if (sentTo.size === mostNodes) sentTo.clear()
    sentTo.add(node)
    return { kind: 'full', name: named.name }
  }

  /** Called when the node does not know the context. */
  forget(context: CallContext, node: string): void {
    this.#named.get(context.client)?.sentTo.delete(node)
  }
}

/** Whether two contexts of one client differ only in their traces and chains. */
function isSame(one: CallContext, other: CallContext): boolean {
  return (
    one.session === other.session &&
    one.principal === other.principal &&
    one.tenant === other.tenant &&
    one.revision === other.revision &&
    one.extensions === other.extensions &&
    one.scopes === other.scopes &&
    one.callerToken === other.callerToken &&
    one.job === other.job &&
    one.counted === other.counted
  )
}
