import type { Scope } from '@junctor/contracts'
import type { CallContext } from '@junctor/exchange'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { scopeFor } from '../links/scope.ts'

/** What gives the slot of a scope. */
export interface SlotSource {
  slot(entry: BackendEntry, scope: Scope): LinkSlot
}

/** The scopes and links by which one caller uses backends, each made when it is first used. */
export class CallerLinks {
  readonly #source: SlotSource
  readonly #scopes = new Map<BackendEntry, Scope>()
  readonly #slots = new Map<BackendEntry, LinkSlot>()

  constructor(source: SlotSource) {
    this.#source = source
  }

  /** The scope in which the caller of this context uses a backend. */
  scope(entry: BackendEntry, { tenant, principal, session, client }: CallContext): Scope {
    let scope = this.#scopes.get(entry)
    if (scope === undefined) {
      scope = scopeFor(entry, { tenant, principal: principal.key, session, capabilities: client.capabilities })
      this.#scopes.set(entry, scope)
    }
    return scope
  }

  /** The slot of its link to a backend. Making the slot opens nothing. */
  slot(entry: BackendEntry, context: CallContext): LinkSlot {
    let slot = this.#slots.get(entry)
    if (slot === undefined || slot.retired) {
      slot = this.#source.slot(entry, this.scope(entry, context))
      this.#slots.set(entry, slot)
    }
    return slot
  }

  /** The slots that it has used and that are still there. */
  slots(): readonly LinkSlot[] {
    return [...this.#slots.values()].filter((slot) => !slot.retired)
  }

  /** The caller may not use the backend any more. Gives the slot that it had. */
  forget(entry: BackendEntry): LinkSlot | undefined {
    const slot = this.#slots.get(entry)
    this.#scopes.delete(entry)
    this.#slots.delete(entry)
    return slot
  }
}
