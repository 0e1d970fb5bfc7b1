import type { Fact } from '@junctor/exchange'
import type { EventRecord } from './event-record.ts'

type Started = Extract<Fact, { readonly kind: 'tool_call_started' }>
type Finished = Extract<Fact, { readonly kind: 'request_finished' }>

/**
 * A place in a ring of events. Facts of calls, of which there are thousands a second, are copied into objects that stay:
 * each that was kept itself would outlive the garbage collections of young objects, which then cost more than the calls.
 */
export class EventPlace implements EventRecord {
  sequence = 0
  at = 0
  #fact: Fact | undefined
  #started: Started | undefined
  #finished: Finished | undefined

  get fact(): Fact {
    return this.#fact as Fact
  }

  /** Keeps this event, in place of the one that was here. */
  hold(sequence: number, at: number, fact: Fact): void {
    this.sequence = sequence
    this.at = at
    if (fact.kind === 'tool_call_started') this.#fact = this.#started = copied(this.#started, fact)
    else if (fact.kind === 'request_finished') this.#fact = this.#finished = copied(this.#finished, fact)
    else this.#fact = fact
  }
}

function copied<Kind extends Fact>(kept: Kind | undefined, fact: Kind): Kind {
  return kept === undefined ? { ...fact } : Object.assign(kept, fact)
}
