import { randomBytes } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type { Held } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import type { Subjects } from '@junctor/nats'
import { HeldLease } from './held-lease.ts'
import type { HeldStreams } from './held-streams.ts'
import { heldFields } from './held-streams.ts'
import { printLaneMark, readLaneMark } from './lane-mark.ts'

/** What a lane is made with. */
export interface LaneParts {
  readonly streams: HeldStreams
  readonly subjects: Subjects
  /** Of the queue. */
  readonly name: string
  readonly leaseMs: number
  /** Puts an item into the queue, if it is not there. */
  readonly push: (id: string, text: Uint8Array) => Promise<void>
}

/** One mark begins no sooner after the one before, in milliseconds: until then what ends is gathered. */
const markMs = 10

/** Random bytes of the name of a lane. */
const nameBytes = 9

interface Item<T> {
  readonly id: string
  readonly text: Uint8Array
  /** In the stream; 0: not known to be stored. */
  sequence: number
  /** In the stream it is not before this one. */
  readonly after: number
  lease: HeldLease<T> | undefined
  /** When it goes to the queue, on the monotonic clock; undefined: it is on loan, or on its way into the stream. */
  givenAt: number | undefined
}

/**
 * What one node holds of a queue. Each item is one write; of those that are done one mark tells, now and then.
 *
 * A mark replaces the one before on condition that nobody has written since, and the lane is on loan to this node for a
 * lease from each on. Who takes it over writes one, too, and then all loans of this lane are over.
 */
export class HeldLane<T extends JsonValue> {
  readonly name: string = randomBytes(nameBytes).toString('base64url')
  readonly #parts: LaneParts
  readonly #open = new Map<number, Item<T>>()
  #count = 0
  /** The sequence of the last mark. */
  #mark = 0
  /** Until then nobody takes the lane over, on the monotonic clock. */
  #endsAt = -Infinity
  #markedAt = -Infinity
  #marking: Promise<unknown> = Promise.resolve()
  #nextMark: Promise<boolean> | undefined = undefined
  #beat: NodeJS.Timeout | undefined = undefined
  #isLost = false
  #hasLeft = false
  /** The highest sequence of an item in the stream. */
  #last = 0
  /** The sequences of items that are done and not removed. */
  #ended: number[] = []
  /** That all items before this sequence are done is written. */
  #doneTo = 0

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  /** Somebody else has taken it over: nothing more can be held in it. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** `lost`: nothing is stored, because this lane is lost. */
  async hold(id: string, value: T): Promise<Held<T> | { readonly kind: 'lost' }> {
    const { streams, subjects, name, leaseMs } = this.#parts
    this.#count += 1
    const number = this.#count
    const text = Buffer.from(JSON.stringify(value))
    const item: Item<T> = { id, text, sequence: 0, after: this.#last + 1, lease: undefined, givenAt: undefined }
    this.#open.set(number, item)
    this.#beat ??= setInterval(() => void this.#tend(), leaseMs / 3).unref()
    try {
      const subject = subjects.held(name, this.name)
      // A lane that was idle is taken for left by who sees an item in it before its mark.
      if (!(await this.isOurs())) return { kind: 'lost' }
      const sequence = await streams.items.publish(subject, item.text, { fields: heldFields(id, number) })
      item.sequence = Number(sequence)
      this.#last = Math.max(this.#last, item.sequence)
      // It may have taken so long that the lane was taken over meanwhile.
      if (!(await this.isOurs())) return { kind: 'queued' }
    } catch (error) {
      this.#end(number)
      return { kind: 'unknown', error }
    }
    if (this.#hasLeft) {
      await this.give(number, 0)
      return { kind: 'queued' }
    }
    item.lease = new HeldLease({ id, value, number }, this, leaseMs)
    return { kind: 'lent', lease: item.lease }
  }

  /** Whether its items are still on loan to this node. Rejects when that cannot be known. */
  async isOurs(): Promise<boolean> {
    if (this.#isLost) return false
    return performance.now() < this.#endsAt || this.#marked()
  }

  /** Resolves when it is written that the item is done. False: the lane is lost. */
  async done(number: number): Promise<boolean> {
    this.#remove(number)
    return this.#marked()
  }

  /** Puts an item into the queue, soon also when that is not possible now. */
  async give(number: number, afterMs: number): Promise<void> {
    const item = this.#open.get(number)
    if (item === undefined) return
    item.givenAt = performance.now() + afterMs
    if (afterMs === 0) await this.#giveNow(number, item)
    else setTimeout(() => void this.#giveNow(number, item), afterMs).unref()
  }

  /** Puts all that is held into the queue. */
  async leave(): Promise<void> {
    this.#hasLeft = true
    const stored = [...this.#open].filter(([, { sequence }]) => sequence > 0)
    await Promise.all(stored.flatMap(([, { lease }]) => lease?.release() ?? []))
    await Promise.all(stored.map(([number, item]) => this.#giveNow(number, item)))
    clearInterval(this.#beat)
    if (this.#count === 0) return
    await this.#marked().catch(() => {})
    await this.#clear()
  }

  async #giveNow(number: number, { id, text }: Item<T>): Promise<void> {
    try {
      // Of a lane that is lost, others have put it there. It may have been given meanwhile.
      if (!(await this.isOurs()) || !this.#open.has(number)) return
      await this.#parts.push(id, text)
      this.#end(number)
    } catch {
      // With the next beat.
    }
  }

  #end(number: number): void {
    this.#remove(number)
    this.#marked().catch(() => {})
  }

  #remove(number: number): void {
    const { sequence = 0 } = this.#open.get(number) ?? {}
    if (sequence > 0) this.#ended.push(sequence)
    this.#open.delete(number)
  }

  /** Keeps the lane, and does what could not be done before. */
  async #tend(): Promise<void> {
    const { leaseMs } = this.#parts
    for (const item of this.#open.values()) if (item.lease?.isForgotten === true) void item.lease.release()
    const now = performance.now()
    const due = [...this.#open].filter(([, { givenAt = Infinity }]) => givenAt <= now)
    await Promise.all(due.map(([number, item]) => this.#giveNow(number, item)))
    // A third of a lease is over, and another one before the next look.
    if (this.#open.size > 0 && now > this.#endsAt - (leaseMs * 5) / 6) await this.#marked().catch(() => {})
    await this.#clear()
    if (this.#open.size === 0 && this.#ended.length === 0) this.#rest()
  }

  #rest(): void {
    clearInterval(this.#beat)
    this.#beat = undefined
  }

  /** Resolves when a mark is written that has begun since. False: the lane is lost. */
  #marked(): Promise<boolean> {
    this.#nextMark ??= this.#markSoon()
    return this.#nextMark
  }

  async #markSoon(): Promise<boolean> {
    await this.#marking.catch(() => {})
    const pauseMs = this.#markedAt + markMs - performance.now()
    if (pauseMs > 0) await after(pauseMs)
    this.#nextMark = undefined
    const marking = this.#writeMark()
    this.#marking = marking
    return marking
  }

  async #writeMark(): Promise<boolean> {
    const { streams, subjects, name, leaseMs } = this.#parts
    if (this.#isLost) return false
    const at = performance.now()
    this.#markedAt = at
    const done = this.#doneBefore()
    const mark = printLaneMark({ by: this.name, upTo: this.#count, open: [...this.#open.keys()] })
    const subject = subjects.lane(name, this.name)
    let sequence = await streams.marks.publish(subject, mark, { expected: this.#mark })
    if (sequence === 'conflict') {
      const { sequence: last, message } = await streams.marks.last(subject)
      // One of our own whose answer was lost; or all of the stream was.
      const isOwn = message === undefined || readLaneMark(message.text())?.by === this.name
      if (isOwn) sequence = await streams.marks.publish(subject, mark, { expected: last })
    }
    if (sequence === 'conflict') {
      this.#isLost = true
      this.#rest()
      return false
    }
    this.#mark = sequence
    this.#endsAt = at + leaseMs
    this.#doneTo = Math.max(this.#doneTo, done)
    return true
  }

  /** All items of the lane that are in the stream before this sequence are done. */
  #doneBefore(): number {
    let before = this.#last + 1
    for (const { sequence, after: least } of this.#open.values()) before = Math.min(before, sequence || least)
    return before
  }

  /** Removes what is done. A server that is killed may have it again: then the last mark says that it is done. */
  async #clear(): Promise<void> {
    const { streams, subjects, name } = this.#parts
    const to = this.#doneTo
    // Old servers take a purge of what is before the first message for one of everything.
    if (!this.#ended.some((sequence) => sequence < to)) return
    try {
      await streams.items.purge(subjects.held(name, this.name), to)
      this.#ended = this.#ended.filter((sequence) => sequence >= to)
    } catch {
      // With the next beat.
    }
  }
}
