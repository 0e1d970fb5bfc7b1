import type { Sink } from '@junctor/exchange'
import { eventId } from './event-id.ts'

/** What one stream keeps, at most. */
export interface StreamBounds {
  readonly entries: number
  readonly characters: number
}

interface Entry {
  readonly n: number
  readonly text: string
  readonly last: boolean
}

/**
 * The frames of one stream, kept for a client that comes back (Streamable HTTP, resumability and redelivery).
 *
 * Frames go to the newest sink; when that is gone, to the one before it. Without a sink they are kept, and a sink that
 * comes without an event id gets those that no sink has had. The oldest go first when a bound is reached.
 */
export class ReplayStream {
  readonly id: string
  /** Epoch milliseconds of the last sign of life: a frame, a sink that came or went. */
  touched: number
  #finished = false
  #entries: Entry[] = []
  #characters = 0
  #count = 0
  #delivered = 0
  readonly #sinks: Sink[] = []
  readonly #bounds: StreamBounds
  readonly #now: () => number

  constructor(id: string, bounds: StreamBounds, now: () => number) {
    this.id = id
    this.#bounds = bounds
    this.#now = now
    this.touched = now()
  }

  get finished(): boolean {
    return this.#finished
  }

  get read(): boolean {
    return this.#sinks.length > 0
  }

  /** The last event that some reader has had. */
  get position(): number {
    return this.#delivered
  }

  /** Whether this very frame is waiting for a reader already. */
  awaits(text: string): boolean {
    return this.#entries.some((entry) => entry.n > this.#delivered && entry.text === text)
  }

  /** Adds a frame and sends it on. A promise means that the reader is slow. */
  append(text: string, last: boolean): Promise<void> | undefined {
    if (this.#finished) return undefined
    this.#finished = last
    this.touched = this.#now()
    const entry = { n: ++this.#count, text, last }
    this.#keep(entry)
    const sink = this.#sinks.at(-1)
    return sink === undefined ? undefined : this.#deliver(sink, entry)
  }

  /** Frames go here from now on. The caller has opened the sink. `after` is the last event that the reader has had. */
  attach(sink: Sink, after: number = this.#delivered): void {
    this.touched = this.#now()
    this.#sinks.push(sink)
    sink.owner = { lost: () => this.#drop(sink), waiting() {} }
    for (const entry of this.#entries) {
      if (entry.n > after) void this.#deliver(sink, entry)
    }
    if (this.#finished && after >= this.#count) void sink.send('', true)
  }

  /** Whether all frames after `n` are still kept, so that a resume has no gap. */
  keeps(n: number): boolean {
    const oldest = this.#entries[0]?.n ?? this.#count + 1
    return n <= this.#count && n >= oldest - 1
  }

  eventId(n: number): string {
    return eventId(this.id, n)
  }

  /** Ends the stream for its readers and forgets what it kept. */
  close(): void {
    this.#finished = true
    this.#entries = []
    for (const sink of this.#sinks.splice(0)) void sink.send('', true)
  }

  #deliver(sink: Sink, entry: Entry): Promise<void> | undefined {
    if (entry.n > this.#delivered) this.#delivered = entry.n
    if (entry.last) this.#sinks.splice(this.#sinks.indexOf(sink), 1)
    return sink.send(entry.text, entry.last, this.eventId(entry.n))
  }

  #keep(entry: Entry): void {
    this.#entries.push(entry)
    this.#characters += entry.text.length
    while (this.#entries.length > this.#bounds.entries || this.#characters > this.#bounds.characters) {
      const oldest = this.#entries.shift()
      if (oldest === undefined) return
      this.#characters -= oldest.text.length
    }
  }

  #drop(sink: Sink): void {
    const at = this.#sinks.indexOf(sink)
    if (at === -1) return
    this.touched = this.#now()
    this.#sinks.splice(at, 1)
  }
}
