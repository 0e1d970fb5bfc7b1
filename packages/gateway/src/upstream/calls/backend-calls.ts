import type { EndReason, Outcome } from '@junctor/exchange'
import type { Link, Log, Tell } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import type { Payload, Request } from '@junctor/jsonrpc'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { failed } from './failed.ts'
import type { BreakerState } from '../links/breaker.ts'
import { afterAnswer, afterNothing, afterTimeout, closedBreaker, halfOpened, passageAt } from '../links/breaker.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { LinkSlot, OpenFailure } from '../links/link-slot.ts'
import type { LogLevels } from './log-levels.ts'
import { BackendCall } from './backend-call.ts'
import type { Call } from './call.ts'
import { callQuietly } from './quiet-exchange.ts'
import { mapOutcome } from './map-outcome.ts'

/** Runs calls on the links of their sessions. */
export interface BackendCalls {
  /**
   * Runs `request`, in the backend's own names, for the caller of `call`. The result comes back in public names and in
   * what the caller's revision can carry.
   */
  run(call: Call, entry: BackendEntry, request: Request): Outcome | Promise<Outcome>
  /** Asks the link of a call something more, on the gateway's own account. What comes back is nobody's. */
  aside(call: Call, entry: BackendEntry, method: string, params: Payload): void
}

/** What calls are run with. */
export interface BackendCallParts {
  readonly pool: Pick<LinkPool, 'acquire' | 'release'>
  readonly levels: LogLevels
  readonly clock: Clock
  readonly tell: Tell
  readonly log: Log
  /** A number in [0, 1), for jitter. */
  readonly random: () => number
}

/** A call on its way to its backend. */
interface Run {
  readonly call: Call
  readonly slot: LinkSlot
  /** In the backend's own names. */
  readonly request: Request
  /** When it was known which backend it goes to, on the clock of `performance.now`. */
  readonly began: number
}

export function createBackendCalls({ pool, levels, clock, tell, log, random }: BackendCallParts): BackendCalls {
  const setBreaker = (slot: LinkSlot, next: BreakerState): void => {
    const { breaker, entry } = slot
    slot.breaker = next
    if (next.kind !== breaker.kind) tell({ kind: 'breaker_changed', backend: entry.backend.name, state: next.kind })
  }

  /** Lets go of a link, and learns from how its call ended. */
  const finish = ({ call, slot, began }: Run, ended: EndReason | undefined): void => {
    call.backendMs = performance.now() - began
    pool.release(slot)
    if (ended === 'deadline') setBreaker(slot, afterTimeout(slot.breaker, clock.now(), random()))
    else if (slot.breaker === closedBreaker) return
    else setBreaker(slot, ended === undefined ? afterAnswer() : afterNothing(slot.breaker, clock.now()))
  }

  const crashed = ({ entry }: LinkSlot, error: unknown): void => {
    const { name } = entry.backend
    log.error('a backend threw where it must not', { backend: name, error })
    tell({ kind: 'plugin_failed', backend: name })
  }

  /** Undefined: the call may go. */
  const refusal = (call: Call, slot: LinkSlot): Outcome | undefined => {
    const passage = passageAt(slot.breaker, clock.now())
    if (passage.kind === 'try') setBreaker(slot, halfOpened(slot.breaker))
    if (passage.kind !== 'refused') return undefined
    return backendUnavailable(call, slot, passage.retryAfterMs)
  }

  const start = (run: Run, opened: Link | OpenFailure): Outcome | Promise<Outcome> => {
    const { call, slot } = run
    if ('kind' in opened) {
      finish(run, 'disconnected')
      return unavailable(call, slot, opened)
    }
    const levelled = levels.ensure(call.caller, slot, opened)
    return levelled === undefined ? send(run, opened) : levelled.then(() => send(run, opened))
  }

  const send = (run: Run, link: Link): Outcome | Promise<Outcome> => {
    const { call, slot } = run
    if (call.exchange.ended !== undefined) {
      finish(run, call.exchange.ended)
      return failed(call, 'cancelled')
    }
    const exchange = new BackendCall(call, slot, clock, crashed)
    let outcome: Outcome | Promise<Outcome>
    try {
      outcome = link.call(run.request, exchange)
    } catch (error) {
      finish(run, undefined)
      crashed(slot, error)
      return failed(call, 'internal_error', { backend: slot.entry.backend.name })
    }
    const finished = (settled: Outcome): Outcome => {
      finish(run, exchange.ended)
      try {
        return mapOutcome(call, slot.entry, settled)
      } catch (error) {
        // It is no outcome, or one of which nothing can be made.
        crashed(slot, error)
        return failed(call, 'internal_error', { backend: slot.entry.backend.name })
      }
    }
    return outcome instanceof Promise ? exchange.wait(outcome, finished) : finished(outcome)
  }

  return {
    aside(call, entry, method, params) {
      const { link } = call.caller.slot(entry)
      if (link !== undefined) void callQuietly(link, method, params, call.exchange.context, clock)
    },
    run(call, entry, request) {
      // A slot that is made after the end of its session would never be retired.
      if (call.caller.ended && call.exchange.context.job === undefined) return failed(call, 'session_unknown')
      const slot = call.caller.slot(entry)
      const began = performance.now()
      call.entry = entry
      if (slot.breaker !== closedBreaker) {
        const refused = refusal(call, slot)
        if (refused !== undefined) return refused
      }
      return andThen(pool.acquire(slot), (opened) => start({ call, slot, request, began }, opened))
    },
  }
}

function unavailable(call: Call, slot: LinkSlot, failure: OpenFailure): Outcome {
  const backend = slot.entry.backend.name
  if (failure.reason === 'overloaded') return failed(call, 'overloaded', { backend })
  return backendUnavailable(call, slot, failure.retryAfterMs)
}

function backendUnavailable(call: Call, { entry }: LinkSlot, retryAfterMs: number | undefined): Outcome {
  const data = retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }
  return failed(call, 'backend_unavailable', { backend: entry.backend.name, data })
}
