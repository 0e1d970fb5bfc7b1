import type { Emit, Link } from '@junctor/contracts'
import type { Loss, Outcome } from '@junctor/exchange'
import type { Clock } from '../../shared/clock.ts'
import { errorData, type LostOutcome } from '../../shared/errors.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { RunningCall } from './backend-call.ts'
import { callRetry, type LostCall } from './call-retry.ts'
import { failed } from './failed.ts'
import { RetryBudget } from './retry-budget.ts'
import { waitForLink } from './wait-for-link.ts'

/** A call that is sent again. */
export interface RetriedCall {
  readonly run: RunningCall
  readonly loss: Loss
  readonly waitMs: number
  /** Epoch milliseconds: the deadline of the first attempt. */
  readonly deadline: number
}

/** What becomes of a call that is to be sent again, after its pause. */
export type Resumed =
  | { readonly kind: 'settled'; readonly outcome: Outcome }
  /** The first attempt remains the only one. */
  | { readonly kind: 'final' }
  /** `waitedMs`: how much of its time has passed, in milliseconds */
  | { readonly kind: 'link'; readonly link: Link; readonly waitedMs: number }

/** The links that a call can be sent again on, and what the pause before it is computed from. */
export interface CallRetriesParts {
  readonly pool: Pick<LinkPool, 'acquire' | 'release'>
  readonly clock: Clock
  readonly emit: Emit
  /** Returns a number in [0, 1), for jitter. */
  readonly random: () => number
}

/** Sends lost calls once more. Only a lost call gets here. */
export class CallRetries {
  readonly #parts: CallRetriesParts
  readonly #budget: RetryBudget

  constructor(parts: CallRetriesParts) {
    this.#parts = parts
    this.#budget = new RetryBudget(parts.clock.now)
  }

  /**
   * Whether a lost call is sent again. Emits when there is no room for that. To be asked before its breaker learns of the
   * loss.
   *
   * @param attempt its deadline, in epoch milliseconds, and whether something of it went to the client
   * @param isAgain whether this was the second attempt
   */
  judge(
    run: RunningCall,
    lost: LostOutcome,
    { deadline, isSeen }: { readonly deadline: number; readonly isSeen: boolean },
    isAgain: boolean,
  ): RetriedCall | undefined {
    const { clock, random } = this.#parts
    const { call, slot, request } = run
    const { entry } = slot
    if (entry.retry === false) return undefined
    const remainingMs = Math.min(deadline, call.exchange.deadline) - clock.now()
    const judged = {
      loss: lost.loss,
      method: request.method,
      isRepeatable: call.isRepeatable,
      isSeen,
      isAgain,
      isUnwanted: isUnwanted(run),
      job: jobOf(run, lost),
      breaker: slot.breaker.kind,
      remainingMs,
    }
    const retry = callRetry(judged, random())
    if (retry.kind === 'final') return undefined
    if (this.#budget.take(entry)) return { run, loss: lost.loss, waitMs: retry.waitMs, deadline }
    this.#emit(run, lost.loss, 'over_budget')
    return undefined
  }

  /** Waits for the link over which a call is sent again. It then has the time that was left. */
  async resume({ run, loss, waitMs, deadline }: RetriedCall): Promise<Resumed> {
    const { call, slot } = run
    const { exchange } = call
    const { entry } = slot
    const waited = await waitForLink(this.#parts, {
      exchange,
      slot,
      pauseMs: waitMs,
      deadline: Math.min(deadline, exchange.deadline),
      isWanted: () => !isUnwanted(run) && slot.breaker.kind === 'closed',
    })
    if (waited.kind === 'none') return { kind: 'final' }
    if (waited.kind === 'over') {
      return { kind: 'settled', outcome: failed(call, waited.situation, { backend: entry.backend.name }) }
    }
    this.#emit(run, loss, 'sent')
    return { kind: 'link', link: waited.link, waitedMs: this.#parts.clock.now() - (deadline - entry.timeoutMs) }
  }

  #emit({ call, slot }: RunningCall, loss: Loss, result: 'sent' | 'over_budget'): void {
    const { tenant, principal } = call.exchange.context
    this.#parts.emit({
      kind: 'call_retried',
      tenant,
      backend: slot.entry.backend.name,
      tool: call.tool,
      trace: call.trace,
      principal: principal.key,
      loss,
      result,
    })
  }
}

function isUnwanted({ call, slot }: RunningCall): boolean {
  const { ended, context } = call.exchange
  return ended !== undefined || slot.retired || (call.caller.ended && context.job === undefined)
}

function jobOf({ call }: RunningCall, lost: LostOutcome): LostCall['job'] {
  if (call.exchange.context.job === undefined) return 'none'
  return errorData(lost)['lostNode'] === true ? 'node_lost' : 'backend_lost'
}
