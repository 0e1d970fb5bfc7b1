import type { Scope } from '@junctor/contracts'
import type { CallContext } from '@junctor/exchange'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { scopeFor } from '../links/scope.ts'

/** Returns the slot of a scope. */
export interface SlotSource {
  slot(entry: BackendEntry, scope: Scope): LinkSlot
}

/** The scopes and links that one caller uses. Each is created on first use. */
export class CallerLinks {
  /** The access token that the caller has presented last, sealed. Links that take it get it with their scope. */
  callerToken: string | undefined
  readonly #source: SlotSource
  readonly #scopes = new Map<BackendEntry, Scope>()
  readonly #slots = new Map<BackendEntry, LinkSlot>()

  constructor(source: SlotSource) {
    this.#source = source
  }

  /** The scope in which the caller of this context uses a backend. */
  scope(entry: BackendEntry, { tenant, principal, session, client, revision }: CallContext): Scope {
    let scope = this.#scopes.get(entry)
    if (scope === undefined) {
      scope = scopeFor(entry, {
        tenant,
        principal: principal.key,
        session,
        capabilities: client.capabilities,
        revision,
      })
      this.#scopes.set(entry, scope)
    }
    const { callerToken } = this
    if (entry.backend.takesCallerToken !== true || callerToken === undefined) return scope
    if (scope.callerToken !== callerToken) {
      scope = { ...scope, callerToken }
      this.#scopes.set(entry, scope)
    }
    return scope
  }

  /** The slot of the caller's link to a backend. Creating the slot opens no connection. */
  slot(entry: BackendEntry, context: CallContext): LinkSlot {
    let slot = this.#slots.get(entry)
    if (slot === undefined || slot.retired || entry.backend.takesCallerToken === true) {
      slot = this.#source.slot(entry, this.scope(entry, context))
      this.#slots.set(entry, slot)
    }
    return slot
  }

  /** The slots that the caller has used and that still exist. */
  slots(): readonly LinkSlot[] {
    return [...this.#slots.values()].filter((slot) => !slot.retired)
  }

  /** Removes a backend that the caller may no longer use. Returns its slot, if it had one. */
  forget(entry: BackendEntry): LinkSlot | undefined {
    const slot = this.#slots.get(entry)
    this.#scopes.delete(entry)
    this.#slots.delete(entry)
    return slot
  }
}
