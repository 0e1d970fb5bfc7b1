import { type Log, reasonWithCauses } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { afterFailure, type Attempts, noAttempts } from './backoff.ts'
import { type LinkRecord, newLinkRecord, stateOf } from './backend-state.ts'
import { codeOf } from './link-errors.ts'
import type { EmitLinkEvent } from './emit-link-event.ts'
import type { LinkSlot } from './link-slot.ts'

/** What the states of backends need. */
export interface BackendStatesParts {
  /** Called once for each change, when a backend becomes unreachable or reachable again. */
  readonly reachabilityChanged: (entry: BackendEntry) => void
  readonly now: () => number
  /** Returns a number in [0, 1), for jitter. */
  readonly random: () => number
  readonly log: Log
  readonly emit: EmitLinkEvent
}

/** The state of each backend, from what its links have shown. Reports each change. */
export class BackendStates {
  readonly #records = new WeakMap<BackendEntry, LinkRecord>()
  readonly #parts: BackendStatesParts

  constructor(parts: BackendStatesParts) {
    this.#parts = parts
  }

  recordOf(entry: BackendEntry): LinkRecord {
    return keptOr(this.#records, entry, newLinkRecord)
  }

  /** Milliseconds until the slot's link may be opened; 0 or less: it may be opened now. */
  pauseMs({ entry, breaks }: LinkSlot): number {
    return Math.max(this.recordOf(entry).opens.notBefore, breaks.notBefore) - this.#parts.now()
  }

  /** Called when the slot's link has opened. */
  opened(slot: LinkSlot): void {
    const { log, emit, reachabilityChanged } = this.#parts
    const { entry, scope, breaks } = slot
    const record = this.recordOf(entry)
    record.opens = noAttempts
    record.reached = true
    record.error = undefined
    const again = breaks.failures > 0
    emit(entry, { kind: 'link_opened', backend: entry.backend.name, tenant: scope.tenant, again })
    if (record.down) {
      record.down = false
      log.info('a backend can be opened again', { backend: entry.backend.name })
      reachabilityChanged(entry)
    }
    this.#reportState(slot)
  }

  /**
   * Called when the slot's link could not be opened.
   *
   * @param began when that was tried, in epoch milliseconds
   */
  openFailed(slot: LinkSlot, cause: Error, began: number): void {
    const { now, random, log } = this.#parts
    const record = this.recordOf(slot.entry)
    const { failures, notBefore } = record.opens
    // No attempt begins during a pause: one that began before its end was under way when another failed.
    const earlier = { failures: began < notBefore ? failures - 1 : failures, notBefore }
    record.opens = afterFailure(earlier, now(), 0, random())
    const error = shown(cause)
    const isNews = record.error === undefined || shown(record.error) !== error
    const attempts = record.opens.failures
    const level = isNews || (attempts > failures && isPowerOfTwo(attempts)) ? 'warn' : 'debug'
    log[level]('a backend could not be opened', { backend: slot.entry.backend.name, error, attempts })
    this.down(slot.entry, cause)
    this.#reportFailure(slot, 'open', cause, record.opens)
  }

  /** Called when the slot's open link broke. */
  broke(slot: LinkSlot, error: Error): void {
    const { now, random, log } = this.#parts
    // When the node of the link has left, the backend is not at fault: other nodes may host it.
    if (codeOf(error) !== 'NODE_LEFT') {
      slot.breaks = afterFailure(slot.breaks, now(), now() - slot.openedAt, random())
      this.recordOf(slot.entry).error = error
    }
    log.warn('a backend link broke', { backend: slot.entry.backend.name, error: shown(error) })
    this.#reportFailure(slot, 'break', error, slot.breaks)
  }

  /** Marks the backend as unreachable. */
  down(entry: BackendEntry, error: Error): void {
    const record = this.recordOf(entry)
    record.error = error
    if (record.down) return
    record.down = true
    this.#parts.reachabilityChanged(entry)
  }

  /** Lets the backend be opened immediately, regardless of earlier failures. */
  forgetFailures(entry: BackendEntry): void {
    this.recordOf(entry).opens = noAttempts
  }

  #reportFailure(slot: LinkSlot, phase: 'open' | 'break', error: Error, { notBefore }: Attempts): void {
    const message = shown(error)
    const { entry, scope } = slot
    const retryAfterMs = Math.max(0, Math.ceil(notBefore - this.#parts.now()))
    const backend = entry.backend.name
    this.#parts.emit(entry, { kind: 'link_failed', backend, tenant: scope.tenant, phase, message, retryAfterMs })
    this.#reportState(slot)
  }

  /**
   * Reports a changed state. Looks only at the slot that just changed, because looking at all would cost too much.
   */
  #reportState({ entry, breaks, link }: LinkSlot): void {
    const record = this.recordOf(entry)
    const failures = Math.max(record.opens.failures, link === undefined ? breaks.failures : 0)
    const state = stateOf(record, failures)
    if (state === record.reported) return
    record.reported = state
    this.#parts.emit(entry, { kind: 'backend_state', backend: entry.backend.name, state })
  }
}

/** An error that stays the same is logged at the 1st, 2nd, 4th, 8th failure: a server that is off for days fills no log. */
function isPowerOfTwo(failures: number): boolean {
  return Number.isInteger(Math.log2(failures))
}

/** An error with its code and the reasons below it: an operator needs these, such as ENOENT. */
function shown(error: Error): string {
  const reason = reasonWithCauses(error)
  return error instanceof JunctorError ? `[${error.code}] ${reason}` : reason
}
