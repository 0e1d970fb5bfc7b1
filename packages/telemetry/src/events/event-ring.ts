import { CallColumns } from './call-columns.ts'
import type { EventRecord } from './event-record.ts'
import type { KeptEvent } from './kept-event.ts'

/** The initial size, in events: most tenants of a large gateway have few events. */
const firstSize = 64

/** The last events, up to a maximum number. */
export class EventRing {
  readonly #keep: number
  #calls: CallColumns
  /** Events other than calls, which are few; undefined at the places of calls. */
  readonly #others: (KeptEvent | undefined)[] = []
  readonly #sequences: number[] = []
  /** Epoch microseconds. */
  readonly #times: number[] = []
  /** The total number of events ever added. */
  #count = 0

  /** @param keep the maximum number of events; at least 1 */
  constructor(keep: number) {
    this.#keep = keep
    this.#calls = new CallColumns(Math.min(keep, firstSize))
  }

  /** Adds an event. When the ring is full, it replaces the oldest. */
  push(sequence: number, at: number, event: KeptEvent): void {
    if (this.#count === this.#calls.size && this.#count < this.#keep) this.#grow()
    const place = this.#count % this.#keep
    this.#count += 1
    this.#sequences[place] = sequence
    this.#times[place] = at
    const isCall = event.kind === 'tool_call_started' || event.kind === 'request_finished'
    this.#others[place] = isCall ? undefined : event
    if (isCall) this.#calls.keep(place, event)
  }

  *newestFirst(): Generator<EventRecord> {
    const last = Math.max(0, this.#count - this.#keep)
    for (let number = this.#count - 1; number >= last; number -= 1) {
      const place = number % this.#keep
      yield {
        sequence: this.#sequences[place] as number,
        at: this.#times[place] as number,
        event: this.#others[place] ?? (this.#calls.at(place) as KeptEvent),
      }
    }
  }

  #grow(): void {
    const calls = new CallColumns(Math.min(this.#keep, 4 * this.#calls.size))
    calls.take(this.#calls)
    this.#calls = calls
  }
}
