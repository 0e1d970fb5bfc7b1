import { randomBytes } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { type Held, isNotStored } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import type { Subjects } from '@junctor/nats'
import { HeldLease } from './held-lease.ts'
import { heldFields, type HeldStreams } from './held-streams.ts'
import { printLaneMark, readLaneMark } from './lane-mark.ts'

/** What a lane needs. */
export interface LaneParts {
  readonly streams: HeldStreams
  readonly subjects: Subjects
  /** The name of the queue. */
  readonly name: string
  readonly leaseMs: number
  /** Adds an item to the queue unless it is there. */
  readonly push: (id: string, text: Uint8Array) => Promise<void>
}

/** Minimum time between two marks, in milliseconds. Items that end meanwhile share the next mark. */
const markMs = 10

/** Random bytes in the name of a lane. */
const nameBytes = 9

interface Item<T> {
  readonly id: string
  readonly text: Uint8Array
  /** Its sequence in the stream; 0: it is unknown whether the item is stored. */
  sequence: number
  /** The lowest sequence that the item can have in the stream. */
  readonly after: number
  lease: HeldLease<T> | undefined
  /** When the item moves to the queue, on the monotonic clock; undefined: it is leased, or not stored yet. */
  givenAt: number | undefined
}

/**
 * The items of a queue that one node holds. Storing an item is one write. One mark records all items that are done, from
 * time to time.
 *
 * A mark replaces the mark before it, on condition that no other node has written one since. Each mark gives this node the
 * leases of the lane for the time of a lease. A node that takes the lane over writes a mark as well; then all leases of
 * this lane have ended.
 */
export class HeldLane<T extends JsonValue> {
  readonly name: string = randomBytes(nameBytes).toString('base64url')
  readonly #parts: LaneParts
  readonly #open = new Map<number, Item<T>>()
  #count = 0
  /** The sequence of the last mark. */
  #mark = 0
  /** Until this time no other node takes the lane over, on the monotonic clock. */
  #endsAt = -Infinity
  #markedAt = -Infinity
  #marking: Promise<unknown> = Promise.resolve()
  #nextMark: Promise<boolean> | undefined = undefined
  #beat: NodeJS.Timeout | undefined = undefined
  #isLost = false
  #hasLeft = false
  /** The highest known sequence of an item in the stream. */
  #last = 0
  /** The sequences of items that are done but not removed from the stream. */
  #ended: number[] = []
  /** The stored mark says that all items before this sequence are done. */
  #doneTo = 0

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  /** Whether another node has taken the lane over. A lost lane accepts no items. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Stores an item and leases it to this node. `lost`: nothing is stored, because this lane is lost. */
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
      // Another node that sees an item in an idle lane before the lane's next mark would take the lane over.
      if (!(await this.isOurs())) return { kind: 'lost' }
      const sequence = await streams.items.publish(subject, item.text, { fields: heldFields(id, number) })
      item.sequence = Number(sequence)
      this.#last = Math.max(this.#last, item.sequence)
      // The write may have taken so long that another node has taken the lane over meanwhile.
      if (!(await this.isOurs())) return { kind: 'queued' }
    } catch (error) {
      this.#end(number)
      if (item.sequence === 0 && isNotStored(error)) throw error
      return { kind: 'unknown', error }
    }
    if (this.#hasLeft) {
      await this.give(number, 0)
      return { kind: 'queued' }
    }
    item.lease = new HeldLease({ id, value, number }, this, leaseMs)
    return { kind: 'lent', lease: item.lease }
  }

  /** Whether this node still has the leases of this lane. Rejects when the storage cannot be asked. */
  async isOurs(): Promise<boolean> {
    if (this.#isLost) return false
    return performance.now() < this.#endsAt || this.#marked()
  }

  /** Resolves when a mark says that the item is done; with false when the lane is lost. */
  async done(number: number): Promise<boolean> {
    this.#remove(number)
    return this.#marked()
  }

  /** Moves an item to the queue. If that fails, it is tried again with the next beat. */
  async give(number: number, afterMs: number): Promise<void> {
    const item = this.#open.get(number)
    if (item === undefined) return
    item.givenAt = performance.now() + afterMs
    if (afterMs === 0) await this.#giveNow(number, item)
    else setTimeout(() => void this.#giveNow(number, item), afterMs).unref()
  }

  /** Moves all items to the queue. */
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
      // When the lane is lost, another node moves the item. The item may also have been moved meanwhile.
      if (!(await this.isOurs()) || !this.#open.has(number)) return
      await this.#parts.push(id, text)
      this.#end(number)
    } catch {
      // The next beat tries again.
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

  /** Renews the leases of the lane, and repeats what failed before. */
  async #tend(): Promise<void> {
    const { leaseMs } = this.#parts
    for (const item of this.#open.values()) if (item.lease?.isForgotten === true) void item.lease.release()
    const now = performance.now()
    const due = [...this.#open].filter(([, { givenAt = Infinity }]) => givenAt <= now)
    await Promise.all(due.map(([number, item]) => this.#giveNow(number, item)))
    // A sixth of the lease has passed, and another third passes before the next beat.
    if (this.#open.size > 0 && now > this.#endsAt - (leaseMs * 5) / 6) await this.#marked().catch(() => {})
    await this.#clear()
    if (this.#open.size === 0 && this.#ended.length === 0) this.#rest()
  }

  #rest(): void {
    clearInterval(this.#beat)
    this.#beat = undefined
  }

  /** Resolves when a mark is stored whose write began after this call; with false when the lane is lost. */
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
      // The last mark is our own and its acknowledgement was lost, or the whole stream was lost.
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

  /** Returns a sequence: all items of the lane before it are done. */
  #doneBefore(): number {
    let before = this.#last + 1
    for (const { sequence, after: least } of this.#open.values()) before = Math.min(before, sequence || least)
    return before
  }

  /** Removes items that are done. A server that was killed may restore them; the last mark still says that they are done. */
  async #clear(): Promise<void> {
    const { streams, subjects, name } = this.#parts
    const to = this.#doneTo
    // Old servers take a purge of what is before the first message for one of everything.
    if (!this.#ended.some((sequence) => sequence < to)) return
    try {
      await streams.items.purge(subjects.held(name, this.name), to)
      this.#ended = this.#ended.filter((sequence) => sequence >= to)
    } catch {
      // The next beat tries again.
    }
  }
}
