import { type BackendState, type LinkRecord, stateOf } from './backend-state.ts'
import { healthyMs } from './backoff.ts'
import { type BreakerState, worse } from './breaker.ts'
import type { LinkSlot } from './link-slot.ts'

/** The health of a backend on this node. */
export interface BackendHealth {
  readonly state: BackendState
  readonly error: Error | undefined
  readonly links: number
  /** Calls that use a link now, or wait for it to open. */
  readonly inFlight: number
  /** Scopes that wait for a permit. */
  readonly queued: number
  /** The worst state of its links' breakers. */
  readonly breaker: BreakerState['kind']
}

/**
 * The health of a backend, from its record and its slots.
 *
 * @param slots all slots of the backend
 */
export function healthOf(
  record: LinkRecord,
  slots: Iterable<LinkSlot>,
  now: number,
): Pick<BackendHealth, 'state' | 'error' | 'inFlight' | 'breaker'> {
  let failures = record.opens.failures
  let inFlight = 0
  let breaker: BreakerState['kind'] = 'closed'
  for (const slot of slots) {
    inFlight += slot.holds
    breaker = worse(breaker, slot.breaker.kind)
    const healthy = slot.link !== undefined && now - slot.openedAt >= healthyMs
    if (!healthy) failures = Math.max(failures, slot.breaks.failures)
  }
  return { state: stateOf(record, failures), error: record.error, inFlight, breaker }
}
