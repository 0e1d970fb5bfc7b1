import type { Fact } from '@junctor/exchange'
import type { EventRecord } from './event-record.ts'

type Started = Extract<Fact, { readonly kind: 'tool_call_started' }>
type Finished = Extract<Fact, { readonly kind: 'request_finished' }>
type Writable<Kind> = { -readonly [Member in keyof Kind]: Kind[Member] }

/**
 * A place in a ring of events. Facts of calls, of which there are thousands a second, are copied into objects that stay:
 * each that was kept itself would outlive the garbage collections of young objects, which then cost more than the calls.
 */
export class EventPlace implements EventRecord {
  sequence = 0
  at = 0
  #fact: Fact | undefined
  #started: Writable<Started> | undefined
  #finished: Writable<Finished> | undefined

  get fact(): Fact {
    return this.#fact as Fact
  }

  /** Keeps this event, in place of the one that was here. */
  hold(sequence: number, at: number, fact: Fact): void {
    this.sequence = sequence
    this.at = at
    if (fact.kind === 'tool_call_started') this.#fact = this.#started = copyStarted(this.#started, fact)
    else if (fact.kind === 'request_finished') this.#fact = this.#finished = copyFinished(this.#finished, fact)
    else this.#fact = fact
  }
}

// Member by member: the engine then writes numbers where they stand, and makes nothing.

function copyStarted(kept: Writable<Started> | undefined, fact: Started): Writable<Started> {
  if (kept === undefined) return { ...fact }
  kept.tenant = fact.tenant
  kept.backend = fact.backend
  kept.tool = fact.tool
  kept.trace = fact.trace
  kept.principal = fact.principal
  return kept
}

function copyFinished(kept: Writable<Finished> | undefined, fact: Finished): Writable<Finished> {
  if (kept === undefined) return { ...fact }
  kept.tenant = fact.tenant
  kept.transport = fact.transport
  kept.method = fact.method
  kept.backend = fact.backend
  kept.tool = fact.tool
  kept.trace = fact.trace
  kept.principal = fact.principal
  kept.outcome = fact.outcome
  kept.code = fact.code
  kept.origin = fact.origin
  kept.reason = fact.reason
  kept.durationMs = fact.durationMs
  kept.backendMs = fact.backendMs
  return kept
}
