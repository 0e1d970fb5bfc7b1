import type { Link, Outcome } from '@junctor/exchange'
import { andThen } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { BackendEntry } from '../backend-entry.ts'
import type { Clock } from '../clock.ts'
import { failed } from '../errors.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { LinkSlot, OpenFailure } from '../links/link-slot.ts'
import type { LogLevels } from '../sessions/log-levels.ts'
import { BackendCall } from './backend-call.ts'
import type { Call } from './call.ts'
import { mapOutcome } from './map-outcome.ts'

/** Runs calls on the links of their sessions. */
export interface BackendCalls {
  /**
   * Runs `request`, in the backend's own names, for the caller of `call`. The result comes back in public names and in
   * what the caller's revision can carry.
   */
  run(call: Call, entry: BackendEntry, request: Request): Outcome | Promise<Outcome>
}

export function createBackendCalls(pool: LinkPool, levels: LogLevels, clock: Clock): BackendCalls {
  const start = (
    call: Call,
    slot: LinkSlot,
    request: Request,
    opened: Link | OpenFailure,
  ): Outcome | Promise<Outcome> => {
    if ('kind' in opened) {
      pool.release(slot)
      return unavailable(call, slot, opened)
    }
    const levelled = levels.ensure(call.session, slot, opened)
    return levelled === undefined
      ? send(call, slot, request, opened)
      : levelled.then(() => send(call, slot, request, opened))
  }

  const send = (call: Call, slot: LinkSlot, request: Request, link: Link): Outcome | Promise<Outcome> => {
    if (call.exchange.ended !== undefined) {
      pool.release(slot)
      return failed(call, 'cancelled')
    }
    const exchange = new BackendCall(call, slot, clock)
    let outcome: Outcome | Promise<Outcome>
    try {
      outcome = link.call(request, exchange)
    } catch (error) {
      pool.release(slot)
      throw error
    }
    if (!(outcome instanceof Promise)) {
      pool.release(slot)
      return mapOutcome(call, slot.entry, outcome)
    }
    return exchange.wait(outcome).then((settled) => {
      pool.release(slot)
      return mapOutcome(call, slot.entry, settled)
    })
  }

  return {
    run(call, entry, request) {
      // A slot that is made after the end of its session would never be retired.
      if (call.session.ended) return failed(call, 'session_unknown')
      const slot = call.session.slot(entry)
      const began = performance.now()
      call.entry = entry
      const outcome = andThen(pool.acquire(slot), (opened) => start(call, slot, request, opened))
      return andThen(outcome, (settled) => {
        call.backendMs = performance.now() - began
        return settled
      })
    },
  }
}

function unavailable(call: Call, slot: LinkSlot, failure: OpenFailure): Outcome {
  const backend = slot.entry.backend.name
  if (failure.reason === 'overloaded') return failed(call, 'overloaded', { backend })
  const { retryAfterMs } = failure
  const data = retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }
  return failed(call, 'backend_unavailable', { backend, data })
}
