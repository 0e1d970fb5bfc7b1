import type { Sink } from '@junctor/exchange'
import { eventId } from './event-id.ts'
import type { StreamState } from './stream-state.ts'

/** The limits of one stream. */
export interface StreamBounds {
  readonly entries: number
  readonly characters: number
  /** How long after it was sent a frame is shown again to a reader without an event id, in milliseconds. */
  readonly keepMs: number
}

interface Entry {
  readonly n: number
  readonly text: string
  readonly last: boolean
  /** When a frame of a `confirmed` stream was first sent to a reader, in epoch milliseconds. */
  sentAt: number | undefined
}

/**
 * How frames go to readers.
 *
 * - `awaited`: the writer waits for a slow reader; and while there is none, when half of what is kept is unread. The other
 * half is for frames that were on their way to the reader when it was lost.
 * - `paced`: the writer does not wait, and a reader gets frames no faster than it takes them.
 * - `confirmed`: like `paced`; in addition, a reader without an event id gets the frames again that the previous reader
 * may not have received.
 */
export type StreamPace = 'awaited' | 'paced' | 'confirmed'

/**
 * A frame counts as confirmed when its reader took it and was still connected this much later, in milliseconds. That is
 * four keep-alive intervals, and more than nodes need to detect a lost node. A server cannot know whether its bytes
 * arrived.
 */
export const confirmedAfterMs = 60_000

/** Called when frames are lost before a reader got them. */
export interface StreamLosses {
  /** The oldest frame was removed before a reader got it. */
  dropped(): void
  /** A resumable reader was too slow and was disconnected. */
  overflowed(): void
}

/**
 * The frames of one stream, kept for a client that reconnects (Streamable HTTP, resumability and redelivery).
 *
 * Frames go to the newest sink; when it is gone, to the one before it. Without a sink, frames are kept. A sink without
 * an event id gets the frames that no sink has received. When a limit is reached, the oldest frames are removed first.
 * The last frame ends all sinks, so that the reader of an older one reconnects and gets what it misses; so does the loss
 * of the newest sink of an `awaited` stream.
 *
 * The writer of a `paced` or `confirmed` stream does not wait: a sink gets its frames no faster than it takes them.
 * When the limit is reached meanwhile, a resumable sink is ended, so that its reader reconnects and learns what is
 * missing; a sink that cannot resume loses the oldest frames.
 *
 * Frames that the reader of a `confirmed` stream may not have received are shown again to the next reader without an
 * event id, but not a third time (docs/decisions/confirmed-streams.md).
 */
export class ReplayStream {
  readonly id: string
  /** Epoch milliseconds of the last activity: a frame, or a sink that was attached or lost. */
  touched: number
  #finished = false
  #isFrozen = false
  #entries: Entry[] = []
  #characters = 0
  #count = 0
  #delivered = 0
  /** The last event that is not shown again to a reader without an event id. */
  #settled = 0
  readonly #sinks: Sink[] = []
  /** The last event that each sink of a `paced` stream was sent, or that its reader had before. */
  readonly #sentTo = new WeakMap<Sink, number>()
  readonly #bounds: StreamBounds
  readonly #now: () => number
  readonly #losses: StreamLosses
  readonly #pace: StreamPace
  /** Resolves when the newest, slow sink of a paced stream takes frames again. `undefined`: it is not slow. */
  #slow: Promise<void> | undefined
  /** The characters of the frames of an `awaited` stream that no reader has received. */
  #unreadCharacters = 0
  /** Resolves when an `awaited` stream, whose writer waits, has a reader again. `undefined`: its writer does not wait. */
  #reader: PromiseWithResolvers<void> | undefined

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

  /** Where a reader without an event id begins: after the last event that need not be shown to it. */
  get position(): number {
    if (this.#pace !== 'confirmed') return this.#delivered
    const now = this.#now()
    if (this.read) this.#settle(this.#lastConfirmed(now))
    this.#settle(now - this.#bounds.keepMs)
    return this.#settled
  }

  /** The number of the last event. */
  get count(): number {
    return this.#count
  }

  /** Marks all events up to `n` as received: the reader answered something that proves it. */
  confirm(n: number): void {
    this.#settled = Math.max(this.#settled, Math.min(n, this.#delivered))
  }

  /** The number of characters that are kept. */
  get characters(): number {
    return this.#characters
  }

  /** Whether an identical frame is already waiting for its first reader. */
  awaits(text: string): boolean {
    for (let index = this.#indexAfter(this.#delivered); index < this.#entries.length; index += 1) {
      const entry = this.#entries[index]
      if (entry?.text === text && entry.sentAt === undefined) return true
    }
    return false
  }

  /** Adds a frame and sends it. Returns a promise when the reader is slow and the writer must wait for it. */
  append(text: string, last: boolean): Promise<void> | undefined {
    if (this.#finished) return undefined
    this.#finished = last
    this.touched = this.#now()
    const entry = { n: ++this.#count, text, last, sentAt: undefined }
    this.#keep(entry)
    const sink = this.#sinks.at(-1)
    if (this.#pace === 'awaited') return sink === undefined ? this.#untilRead(text) : this.#deliver(sink, entry)
    this.#pump()
    return undefined
  }

  /**
   * Frames go to this sink from now on. The caller has opened the sink. `after` is the last event that the reader has
   * received; without it, the reader begins at `position`.
   */
  attach(sink: Sink, after?: number): void {
    const from = after ?? this.position
    this.touched = this.#now()
    if (this.#isFrozen || (this.#finished && from >= this.#count)) return void sink.send('', true)
    this.#sinks.push(sink)
    sink.owner = { lost: () => this.#drop(sink), waiting() {} }
    if (this.#pace === 'awaited') {
      for (const entry of this.#entries) {
        if (entry.n > from) void this.#deliver(sink, entry)
      }
      this.#freeWriter()
    } else {
      if (after !== undefined) this.#sentTo.set(sink, after)
      this.#slow = undefined
      this.#delivered = from
      this.confirm(from)
      this.#pump()
    }
  }

  /**
   * Sends the last `count` events again, to the next reader, because their reader was lost before they were written to it.
   * Does nothing when `last` is not the last event that was sent: another reader has continued from there. Only a `paced`
   * stream needs this.
   */
  takeBack(last: string, count: number): void {
    if (this.#pace !== 'paced' || count <= 0 || last !== this.eventId(this.#delivered)) return
    this.#delivered = Math.max(0, this.#delivered - count)
    this.#skipSent()
    this.#pump()
  }

  /**
   * Ends the current readers, and keeps all frames from now on, while the stream is handed over to another node.
   * Readers that come meanwhile are ended as well, so that they reconnect.
   */
  freeze(): StreamState {
    const now = this.#now()
    if (this.read && this.#pace === 'confirmed') {
      this.#settle(this.#lastConfirmed(now))
      this.#delivered = this.#settled
    }
    this.#isFrozen = true
    this.#slow = undefined
    this.#endReaders()
    const frames = this.#entries.map(({ text, sentAt }) => ({ text, sentMs: sentAt && now - sentAt }))
    return { id: this.id, count: this.#count, delivered: this.#delivered, settled: this.#settled, frames }
  }

  /** Continues on this node after `freeze`. */
  thaw(): void {
    this.#isFrozen = false
  }

  /** Continues a stream that another node has frozen. Only for a new stream. */
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

  /** The number of frames that were never sent to a reader. */
  get unread(): number {
    const waiting = this.#entries.slice(this.#indexAfter(this.#delivered))
    return waiting.filter(({ sentAt }) => sentAt === undefined).length
  }

  /** Whether frames that were never sent to a reader fill half of what can be kept. */
  get isCrowded(): boolean {
    const { entries, characters } = this.#bounds
    if (this.#entries.length * 2 < entries && this.#characters * 2 < characters) return false
    const waiting = this.#entries.slice(this.#indexAfter(this.#delivered)).filter(({ sentAt }) => sentAt === undefined)
    return waiting.length * 2 >= entries || waiting.reduce((sum, { text }) => sum + text.length, 0) * 2 >= characters
  }

  /** Whether all frames after `n` are still kept, so that a resume misses none. */
  keeps(n: number): boolean {
    const oldest = this.#entries[0]?.n ?? this.#count + 1
    return n <= this.#count && n >= oldest - 1
  }

  eventId(n: number): string {
    return eventId(this.id, n)
  }

  /** Ends the stream for its readers and removes the frames. */
  close(): void {
    this.#finished = true
    this.#entries = []
    this.#endReaders()
    this.#freeWriter()
  }

  /** How long the writer of a frame that nobody reads must wait. `undefined`: not at all. */
  #untilRead(text: string): Promise<void> | undefined {
    const { entries, characters } = this.#bounds
    this.#unreadCharacters += text.length
    const unread = this.#count - this.#delivered
    if (unread * 2 < entries && this.#unreadCharacters * 2 < characters) return undefined
    this.#reader ??= Promise.withResolvers<void>()
    return this.#reader.promise
  }

  #freeWriter(): void {
    this.#unreadCharacters = 0
    this.#reader?.resolve()
    this.#reader = undefined
  }

  /** Sends the frames that no sink has received to the newest sink, while that takes them. */
  #pump(): void {
    while (this.#slow === undefined) {
      const sink = this.#sinks.at(-1)
      const entry = this.#entries[this.#indexAfter(this.#delivered)]
      if (sink === undefined || entry === undefined) return
      const slow = this.#deliver(sink, entry)
      // Sending a frame can reveal that the sink is gone.
      if (slow === undefined || this.#sinks.at(-1) !== sink) continue
      this.#slow = slow
      void slow.then(() => this.#goOn(slow))
    }
  }

  /** Sends the newest sink nothing that it was sent before a reader with an older cursor came and left. */
  #skipSent(): void {
    const sink = this.#sinks.at(-1)
    if (sink !== undefined) this.#delivered = Math.max(this.#delivered, this.#sentTo.get(sink) ?? 0)
  }

  #goOn(waited: Promise<void>): void {
    if (this.#slow !== waited) return
    this.#slow = undefined
    this.#pump()
  }

  /** The index of the first entry after event `n`. Entries are numbered without gaps. */
  #indexAfter(n: number): number {
    const [oldest] = this.#entries
    return oldest === undefined ? 0 : Math.max(0, n + 1 - oldest.n)
  }

  #deliver(sink: Sink, entry: Entry): Promise<void> | undefined {
    if (entry.n > this.#delivered) this.#delivered = entry.n
    if (this.#pace === 'paced') this.#sentTo.set(sink, entry.n)
    if (this.#pace === 'confirmed') {
      // A frame that is sent a second time is not sent a third time.
      if (entry.sentAt !== undefined) this.#settled = Math.max(this.#settled, entry.n)
      else entry.sentAt = this.#now()
    }
    if (entry.last) this.#endReaders(sink)
    return sink.send(entry.text, entry.last, this.eventId(entry.n))
  }

  /** Detaches all sinks, and ends them except the one that gets the last frame. */
  #endReaders(last?: Sink): void {
    for (const sink of this.#sinks.splice(0)) if (sink !== last) void sink.send('', true)
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

  /** Marks all frames that were sent at this time or before as not to be shown again. */
  #settle(sentAt: number): void {
    for (let index = this.#indexAfter(this.#settled); index < this.#entries.length; index += 1) {
      const entry = this.#entries[index]
      if (entry?.sentAt === undefined || entry.sentAt > sentAt) return
      this.#settled = entry.n
    }
  }

  /**
   * Frames that were sent to the newest sink at this time or before count as confirmed. It is unknown what a slow
   * reader has received.
   */
  #lastConfirmed(now: number): number {
    return this.#slow === undefined ? now - confirmedAfterMs : now - this.#bounds.keepMs
  }

  /** Whether a limit is exceeded. One frame is kept regardless of its size. */
  #isFull(): boolean {
    const { length } = this.#entries
    return length > this.#bounds.entries || (length > 1 && this.#characters > this.#bounds.characters)
  }

  /** A frame was removed before the newest sink received it. */
  #lose({ sentAt }: Entry): void {
    if (sentAt === undefined) this.#losses.dropped()
    if (this.#sinks.at(-1)?.resumable !== true) return
    this.#losses.overflowed()
    this.#slow = undefined
    this.#endReaders()
  }

  #drop(sink: Sink): void {
    const at = this.#sinks.indexOf(sink)
    if (at === -1) return
    this.touched = this.#now()
    this.#sinks.splice(at, 1)
    if (at < this.#sinks.length) return
    if (this.#pace === 'awaited') return this.#endReaders()
    if (this.#pace === 'confirmed') {
      this.#settle(this.#lastConfirmed(this.touched))
      this.#delivered = this.#settled
      // The sink before it is the newest now, and continues from another position.
      this.#sinks.at(-1)?.open(this.eventId(this.#delivered))
    } else this.#skipSent()
    this.#slow = undefined
    this.#pump()
  }
}
