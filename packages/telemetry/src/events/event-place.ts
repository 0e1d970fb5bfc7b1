import type { Fact } from '@junctor/exchange'
import type { EventRecord } from './event-record.ts'
import { KeptTrace } from './kept-trace.ts'

type Started = Extract<Fact, { readonly kind: 'tool_call_started' }>
type Finished = Extract<Fact, { readonly kind: 'request_finished' }>
/** A fact of a call as it is kept: its trace is kept apart. */
type Kept<Kind> = { -readonly [Member in keyof Omit<Kind, 'trace'>]: Kind[Member & keyof Kind] }

/**
 * A place in a ring of events. Facts of calls, of which there are thousands a second, are copied into objects that stay:
 * each that was kept itself would outlive the garbage collections of young objects, which then cost more than the calls.
 */
export class EventPlace implements EventRecord {
  sequence = 0
  at = 0
  readonly #trace = new KeptTrace()
  #started: Kept<Started> | undefined
  #finished: Kept<Finished> | undefined
  /** What is here: one of the two, or a fact that is rare and kept itself. */
  #kept: Fact | Kept<Started> | Kept<Finished> | undefined

  get fact(): Fact {
    const kept = this.#kept
    return (kept === this.#started || kept === this.#finished ? { ...kept, trace: this.#trace.id } : kept) as Fact
  }

  /** Keeps this event, in place of the one that was here. */
  hold(sequence: number, at: number, fact: Fact): void {
    this.sequence = sequence
    this.at = at
    if (fact.kind === 'tool_call_started') {
      this.#trace.keep(fact.trace)
      this.#kept = this.#started = copyStarted(this.#started, fact)
    } else if (fact.kind === 'request_finished') {
      this.#trace.keep(fact.trace)
      this.#kept = this.#finished = copyFinished(this.#finished, fact)
    } else this.#kept = fact
  }
}

// Member by member: the engine then writes numbers where they stand, and makes nothing.

function copyStarted(kept: Kept<Started> | undefined, fact: Started): Kept<Started> {
  if (kept === undefined) return withoutTrace(fact)
  kept.tenant = fact.tenant
  kept.backend = fact.backend
  kept.tool = fact.tool
  kept.principal = fact.principal
  return kept
}

function copyFinished(kept: Kept<Finished> | undefined, fact: Finished): Kept<Finished> {
  if (kept === undefined) return withoutTrace(fact)
  kept.tenant = fact.tenant
  kept.transport = fact.transport
  kept.method = fact.method
  kept.backend = fact.backend
  kept.tool = fact.tool
  kept.principal = fact.principal
  kept.outcome = fact.outcome
  kept.code = fact.code
  kept.origin = fact.origin
  kept.reason = fact.reason
  kept.durationMs = fact.durationMs
  kept.backendMs = fact.backendMs
  return kept
}

function withoutTrace<Kind extends Started | Finished>({ trace: _, ...fact }: Kind): Omit<Kind, 'trace'> {
  return fact
}
