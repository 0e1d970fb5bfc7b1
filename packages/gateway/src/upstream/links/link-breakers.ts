import type { EndReason } from '@junctor/exchange'
import type { Emit } from '@junctor/contracts'
import {
  afterNothing,
  afterTimeout,
  type BreakerState,
  type BreakerVerdict,
  closedBreaker,
  halfOpened,
  judgeBreaker,
} from './breaker.ts'
import type { LinkSlot } from './link-slot.ts'

/** The breakers of slots. Asked before a call, and updated with how it ended. */
export class LinkBreakers {
  readonly #now: () => number
  readonly #random: () => number
  readonly #emit: Emit

  /** @param random returns a number in [0, 1), for jitter */
  constructor(now: () => number, random: () => number, emit: Emit) {
    this.#now = now
    this.#random = random
    this.#emit = emit
  }

  /** Whether a call may start now. A trial call counts as running from here on. */
  pass(slot: LinkSlot): BreakerVerdict {
    const admission = judgeBreaker(slot.breaker, this.#now())
    if (admission.kind === 'try') this.#set(slot, halfOpened(slot.breaker))
    return admission
  }

  /** @param ended why the call ended before its answer; `undefined`: it was answered */
  learn(slot: LinkSlot, ended: EndReason | undefined): void {
    if (ended === 'deadline') this.#set(slot, afterTimeout(slot.breaker, this.#now(), this.#random()))
    // A link that answers does not hang, also when the answer is an error.
    else this.#set(slot, ended === undefined ? closedBreaker : afterNothing(slot.breaker, this.#now()))
  }

  #set(slot: LinkSlot, next: BreakerState): void {
    const { breaker, entry } = slot
    slot.breaker = next
    if (next.kind === breaker.kind) return
    this.#emit({ kind: 'breaker_changed', backend: entry.backend.name, state: next.kind })
  }
}
