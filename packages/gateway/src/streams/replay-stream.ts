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

/** Told of frames that nobody will have. */
export interface StreamLosses {
  /** The oldest frames had to go before anybody had them. */
  dropped(count: number): void
  /** A reader that can come back was too slow; it was let go. */
  overflowed(): void
}

/**
 * The frames of one stream, kept for a client that comes back (Streamable HTTP, resumability and redelivery).
 *
 * Frames go to the newest sink; when that is gone, to the one before it. Without a sink they are kept, and a sink that
 * comes without an event id gets those that no sink has had. The oldest go first when a bound is reached.
 *
 * A `paced` stream is one whose writer does not wait: a sink gets its frames no faster than it takes them. When the
 * bound is reached meanwhile, a sink that can be resumed is ended, for its reader to come back and learn what is gone;
 * to one that cannot, the oldest frames are lost.
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
  readonly #losses: StreamLosses
  readonly #paced: boolean
  /** What the newest sink of a paced stream is waited for with. */
  #slow: Promise<void> | undefined

  constructor(id: string, bounds: StreamBounds, now: () => number, losses: StreamLosses, paced: boolean) {
    this.id = id
    this.#bounds = bounds
    this.#now = now
    this.#losses = losses
    this.#paced = paced
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

  /** Characters that are kept. */
  get characters(): number {
    return this.#characters
  }

  /** Whether this very frame is waiting for a reader already. */
  awaits(text: string): boolean {
    for (let index = this.#nextIndex(); index < this.#entries.length; index += 1) {
      if (this.#entries[index]?.text === text) return true
    }
    return false
  }

  /** Adds a frame and sends it on. A promise means that the reader is slow, and whoever writes is to wait. */
  append(text: string, last: boolean): Promise<void> | undefined {
    if (this.#finished) return undefined
    this.#finished = last
    this.touched = this.#now()
    const entry = { n: ++this.#count, text, last }
    this.#keep(entry)
    const sink = this.#sinks.at(-1)
    if (!this.#paced) return sink === undefined ? undefined : this.#deliver(sink, entry)
    this.#pump()
    return undefined
  }

  /** Frames go here from now on. The caller has opened the sink. `after` is the last event that the reader has had. */
  attach(sink: Sink, after: number = this.#delivered): void {
    this.touched = this.#now()
    this.#sinks.push(sink)
    sink.owner = { lost: () => this.#drop(sink), waiting() {} }
    if (this.#paced) {
      this.#slow = undefined
      this.#delivered = after
      this.#pump()
    } else {
      for (const entry of this.#entries) {
        if (entry.n > after) void this.#deliver(sink, entry)
      }
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

  /** Sends the newest sink what nobody has had, for as long as it takes it. */
  #pump(): void {
    while (this.#slow === undefined) {
      const sink = this.#sinks.at(-1)
      const entry = this.#entries[this.#nextIndex()]
      if (sink === undefined || entry === undefined) return
      const slow = this.#deliver(sink, entry)
      // Whoever sends a frame may be told that the sink is gone.
      if (slow === undefined || this.#sinks.at(-1) !== sink) continue
      this.#slow = slow
      void slow.then(() => this.#goOn(slow))
    }
  }

  #goOn(waited: Promise<void>): void {
    if (this.#slow !== waited) return
    this.#slow = undefined
    this.#pump()
  }

  /** Where the first entry is that nobody has had. Entries are numbered without gaps. */
  #nextIndex(): number {
    const [oldest] = this.#entries
    return oldest === undefined ? 0 : Math.max(0, this.#delivered + 1 - oldest.n)
  }

  #deliver(sink: Sink, entry: Entry): Promise<void> | undefined {
    if (entry.n > this.#delivered) this.#delivered = entry.n
    if (entry.last) this.#sinks.splice(this.#sinks.indexOf(sink), 1)
    return sink.send(entry.text, entry.last, this.eventId(entry.n))
  }

  #keep(entry: Entry): void {
    this.#entries.push(entry)
    this.#characters += entry.text.length
    while (this.#isFull()) {
      const oldest = this.#entries.shift()
      if (oldest === undefined) return
      this.#characters -= oldest.text.length
      if (oldest.n > this.#delivered) this.#lose()
    }
  }

  /** One frame is kept however large it is. */
  #isFull(): boolean {
    const { length } = this.#entries
    return length > this.#bounds.entries || (length > 1 && this.#characters > this.#bounds.characters)
  }

  /** A frame had to go that nobody has had. */
  #lose(): void {
    this.#losses.dropped(1)
    if (this.#sinks.at(-1)?.resumable !== true) return
    this.#losses.overflowed()
    this.#slow = undefined
    for (const sink of this.#sinks.splice(0)) void sink.send('', true)
  }

  #drop(sink: Sink): void {
    const at = this.#sinks.indexOf(sink)
    if (at === -1) return
    this.touched = this.#now()
    this.#sinks.splice(at, 1)
    if (at < this.#sinks.length) return
    // The one before it is the newest now.
    this.#slow = undefined
    if (this.#paced) this.#pump()
  }
}
