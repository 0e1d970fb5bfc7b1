import type { Sink } from '@junctor/exchange'
import { eventId } from './event-id.ts'
import type { StreamState } from './stream-state.ts'

/** What one stream keeps, at most. */
export interface StreamBounds {
  readonly entries: number
  readonly characters: number
  /** For how long after it was sent a frame is shown again to a reader that names no event, in milliseconds. */
  readonly keepMs: number
}

interface Entry {
  readonly n: number
  readonly text: string
  readonly last: boolean
  /** When a reader of a `confirmed` stream was first sent it, in epoch milliseconds. */
  sentAt: number | undefined
}

/**
 * How frames go to readers. `awaited`: whoever writes waits for a slow reader. `paced`: writers do not wait, and a reader
 * gets frames no faster than it takes them. `confirmed`: the same, and a reader that names no event is shown once more
 * what the reader before it may not have had.
 */
export type StreamPace = 'awaited' | 'paced' | 'confirmed'

/**
 * A frame is confirmed when its reader took it and was still there so much later, in milliseconds: four signs of life,
 * and more than nodes take to notice that one of them is lost. That bytes arrived is what no server is told.
 */
export const confirmedAfterMs = 60_000

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
 * The writer of a `paced` or `confirmed` stream does not wait: a sink gets its frames no faster than it takes them. When
 * the bound is reached meanwhile, a sink that can be resumed is ended, for its reader to come back and learn what is
 * gone; to one that cannot, the oldest frames are lost.
 *
 * What the reader of a `confirmed` stream may not have had is shown again, to the next reader that names no event, and
 * not a third time (docs/decisions/confirmed-streams.md).
 */
export class ReplayStream {
  readonly id: string
  /** Epoch milliseconds of the last sign of life: a frame, a sink that came or went. */
  touched: number
  #finished = false
  #isFrozen = false
  #entries: Entry[] = []
  #characters = 0
  #count = 0
  #delivered = 0
  /** The last event that is not shown again to a reader that names none. */
  #settled = 0
  readonly #sinks: Sink[] = []
  readonly #bounds: StreamBounds
  readonly #now: () => number
  readonly #losses: StreamLosses
  readonly #pace: StreamPace
  /** What the newest sink of a paced stream is waited for with. */
  #slow: Promise<void> | undefined

  constructor(id: string, bounds: StreamBounds, now: () => number, losses: StreamLosses, pace: StreamPace) {
    this.id = id
    this.#bounds = bounds
    this.#now = now
    this.#losses = losses
    this.#pace = pace
    this.touched = now()
  }

  get finished(): boolean {
    return this.#finished
  }

  get read(): boolean {
    return this.#sinks.length > 0
  }

  /** Where a reader that names no event begins: after the last event that need not be shown to it. */
  get position(): number {
    if (this.#pace !== 'confirmed') return this.#delivered
    const now = this.#now()
    if (this.read) this.#settle(this.#lastConfirmed(now))
    this.#settle(now - this.#bounds.keepMs)
    return this.#settled
  }

  /** The last event that there is. */
  get count(): number {
    return this.#count
  }

  /** The reader has had all events up to `n`: it said something that it could not have said otherwise. */
  confirm(n: number): void {
    this.#settled = Math.max(this.#settled, Math.min(n, this.#delivered))
  }

  /** Characters that are kept. */
  get characters(): number {
    return this.#characters
  }

  /** Whether this very frame is waiting for its first reader already. */
  awaits(text: string): boolean {
    for (let index = this.#indexAfter(this.#delivered); index < this.#entries.length; index += 1) {
      const entry = this.#entries[index]
      if (entry?.text === text && entry.sentAt === undefined) return true
    }
    return false
  }

  /** Adds a frame and sends it on. A promise means that the reader is slow, and whoever writes is to wait. */
  append(text: string, last: boolean): Promise<void> | undefined {
    if (this.#finished) return undefined
    this.#finished = last
    this.touched = this.#now()
    const entry = { n: ++this.#count, text, last, sentAt: undefined }
    this.#keep(entry)
    const sink = this.#sinks.at(-1)
    if (this.#pace === 'awaited') return sink === undefined ? undefined : this.#deliver(sink, entry)
    this.#pump()
    return undefined
  }

  /** Frames go here from now on. The caller has opened the sink. `after` is the last event that the reader has had. */
  attach(sink: Sink, after: number = this.position): void {
    this.touched = this.#now()
    if (this.#isFrozen) return void sink.send('', true)
    this.#sinks.push(sink)
    sink.owner = { lost: () => this.#drop(sink), waiting() {} }
    if (this.#pace === 'awaited') {
      for (const entry of this.#entries) {
        if (entry.n > after) void this.#deliver(sink, entry)
      }
    } else {
      this.#slow = undefined
      this.#delivered = after
      this.confirm(after)
      this.#pump()
    }
    if (this.#finished && after >= this.#count) void sink.send('', true)
  }

  /**
   * Ends what its readers read, and keeps all frames from now on, while it is handed on to another node. Whoever comes
   * meanwhile is ended as well, to come again.
   */
  freeze(): StreamState {
    const now = this.#now()
    if (this.read && this.#pace === 'confirmed') {
      this.#settle(this.#lastConfirmed(now))
      this.#delivered = this.#settled
    }
    this.#isFrozen = true
    this.#slow = undefined
    for (const sink of this.#sinks.splice(0)) void sink.send('', true)
    const frames = this.#entries.map(({ text, sentAt }) => ({ text, sentMs: sentAt && now - sentAt }))
    return { id: this.id, count: this.#count, delivered: this.#delivered, settled: this.#settled, frames }
  }

  /** Goes on here. */
  thaw(): void {
    this.#isFrozen = false
  }

  /** Goes on as the stream that another node has frozen. For one that is new. */
  restore({ count, delivered, settled, frames }: StreamState): void {
    const now = this.#now()
    this.#count = count - frames.length
    for (const { text, sentMs } of frames) {
      const sentAt = sentMs === undefined ? undefined : now - sentMs
      this.#keep({ n: ++this.#count, text, last: false, sentAt })
    }
    this.#delivered = delivered
    this.#settled = settled
  }

  /** Frames that were never sent to a reader. */
  get unread(): number {
    const waiting = this.#entries.slice(this.#indexAfter(this.#delivered))
    return waiting.filter(({ sentAt }) => sentAt === undefined).length
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
      const entry = this.#entries[this.#indexAfter(this.#delivered)]
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

  /** Where the first entry after event `n` is. Entries are numbered without gaps. */
  #indexAfter(n: number): number {
    const [oldest] = this.#entries
    return oldest === undefined ? 0 : Math.max(0, n + 1 - oldest.n)
  }

  #deliver(sink: Sink, entry: Entry): Promise<void> | undefined {
    if (entry.n > this.#delivered) this.#delivered = entry.n
    if (this.#pace === 'confirmed') {
      // What is sent a second time is not sent a third.
      if (entry.sentAt !== undefined) this.#settled = Math.max(this.#settled, entry.n)
      else entry.sentAt = this.#now()
    }
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
      if (oldest.n > this.#delivered) this.#lose(oldest)
      if (oldest.n > this.#settled) this.#settled = oldest.n
    }
  }

  /** Nothing that was sent at this time or before is shown again. */
  #settle(sentAt: number): void {
    for (let index = this.#indexAfter(this.#settled); index < this.#entries.length; index += 1) {
      const entry = this.#entries[index]
      if (entry?.sentAt === undefined || entry.sentAt > sentAt) return
      this.#settled = entry.n
    }
  }

  /** What the newest sink was sent at this time or before is confirmed. Nobody knows what a slow reader has read. */
  #lastConfirmed(now: number): number {
    return this.#slow === undefined ? now - confirmedAfterMs : now - this.#bounds.keepMs
  }

  /** One frame is kept however large it is. */
  #isFull(): boolean {
    const { length } = this.#entries
    return length > this.#bounds.entries || (length > 1 && this.#characters > this.#bounds.characters)
  }

  /** A frame had to go that the newest sink has not had. */
  #lose({ sentAt }: Entry): void {
    if (sentAt === undefined) this.#losses.dropped(1)
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
    if (this.#pace === 'awaited') return
    if (this.#pace === 'confirmed') {
      this.#settle(this.#lastConfirmed(this.touched))
      this.#delivered = this.#settled
      // The one before it is the newest now, and goes on from another place than it was.
      this.#sinks.at(-1)?.open(this.eventId(this.#delivered))
    }
    this.#slow = undefined
    this.#pump()
  }
}
