import type { Log } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { afterFailure, noAttempts } from './backoff.ts'
import type { Attempts } from './backoff.ts'
import type { BackendState } from './backend-state.ts'
import { conditionOf, newBackendState } from './backend-state.ts'
import { codeOf } from './broken-links.ts'
import type { TellLink } from './link-facts.ts'
import type { LinkSlot } from './link-slot.ts'

export interface BackendConditionParts {
  /** A backend cannot be reached any more, or can be again. Called once for each change. */
  readonly reachable: (entry: BackendEntry, reachable: boolean) => void
  readonly now: () => number
  /** A number in [0, 1), for jitter. */
  readonly random: () => number
  readonly log: Log
  readonly tell: TellLink
}

/** How each backend does, learned from what becomes of its links, and told when it changes. */
export class BackendConditions {
  readonly #states = new WeakMap<BackendEntry, BackendState>()
  readonly #parts: BackendConditionParts

  constructor(parts: BackendConditionParts) {
    this.#parts = parts
  }

  of(entry: BackendEntry): BackendState {
    let state = this.#states.get(entry)
    if (state === undefined) this.#states.set(entry, (state = newBackendState()))
    return state
  }

  /** Milliseconds until the slot's link may be opened; at most 0 when it may be now. */
  pauseMs({ entry, breaks }: LinkSlot): number {
    return Math.max(this.of(entry).opens.notBefore, breaks.notBefore) - this.#parts.now()
  }

  /** The slot's link has opened. */
  opened(slot: LinkSlot): void {
    const { entry, scope, breaks } = slot
    const state = this.of(entry)
    state.opens = noAttempts
    state.reached = true
    state.error = undefined
    const again = breaks.failures > 0
    this.#parts.tell(entry, { kind: 'link_opened', backend: entry.backend.name, tenant: scope.tenant, again })
    if (state.down) {
      state.down = false
      this.#parts.reachable(entry, true)
    }
    this.#tellCondition(slot)
  }

  /** The slot's link could not be opened. */
  openFailed(slot: LinkSlot, cause: Error): void {
    const { now, random, log } = this.#parts
    const state = this.of(slot.entry)
    state.opens = afterFailure(state.opens, now(), 0, random())
    log.warn('a backend could not be opened', { backend: slot.entry.backend.name, error: cause.message })
    this.down(slot.entry, cause)
    this.#tellFailed(slot, 'open', cause, state.opens)
  }

  /** The slot's link was open, and broke. */
  broke(slot: LinkSlot, error: Error): void {
    const { now, random, log } = this.#parts
    // When the node of the link left, the backend is not at fault: other nodes may host it.
    if (codeOf(error) !== 'NODE_LEFT') {
      slot.breaks = afterFailure(slot.breaks, now(), now() - slot.openedAt, random())
      this.of(slot.entry).error = error
    }
    log.warn('a backend link broke', { backend: slot.entry.backend.name, error: error.message })
    this.#tellFailed(slot, 'break', error, slot.breaks)
  }

  /** The backend cannot be reached. */
  down(entry: BackendEntry, error: Error): void {
    const state = this.of(entry)
    state.error = error
    if (state.down) return
    state.down = true
    this.#parts.reachable(entry, false)
  }

  /** The backend may be opened at once, whatever came of the attempts before. */
  forgetFailures(entry: BackendEntry): void {
    this.of(entry).opens = noAttempts
  }

  #tellFailed(slot: LinkSlot, phase: 'open' | 'break', { message }: Error, { notBefore }: Attempts): void {
    const { entry, scope } = slot
    const retryAfterMs = Math.max(0, Math.ceil(notBefore - this.#parts.now()))
    const backend = entry.backend.name
    this.#parts.tell(entry, { kind: 'link_failed', backend, tenant: scope.tenant, phase, message, retryAfterMs })
    this.#tellCondition(slot)
  }

  /** By the slot that something just happened to: to look at all of them each time would cost too much. */
  #tellCondition({ entry, breaks, link }: LinkSlot): void {
    const state = this.of(entry)
    const failures = Math.max(state.opens.failures, link === undefined ? breaks.failures : 0)
    const condition = conditionOf(state, failures)
    if (condition === state.told) return
    state.told = condition
    this.#parts.tell(entry, { kind: 'backend_state', backend: entry.backend.name, state: condition })
  }
}
