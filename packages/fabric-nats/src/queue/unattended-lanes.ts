import { randomBytes } from 'node:crypto'
import { type Subjects, textOfToken } from '@junctor/nats'
import { type HeldStreams, readHeldFields } from './held-streams.ts'
import { isOpenIn, type LaneMark, printLaneMark, readLaneMark } from './lane-mark.ts'
import type { StoredMessage } from '../storage/stored-message.ts'

/** What unattended lanes need. */
export interface UnattendedLanesParts {
  readonly streams: HeldStreams
  readonly subjects: Subjects
  /** The name of the queue. */
  readonly name: string
  readonly leaseMs: number
  /** The approximate time, in epoch milliseconds. */
  readonly now: () => number
  /** The time of the server, which dates the marks. */
  readonly serverNow: () => Promise<number>
  /** Whether a lane belongs to this node. This node never takes over its own lane. */
  readonly isOwn: (lane: string) => boolean
  /** Adds an item to the queue unless it is there. */
  readonly push: (id: string, text: Uint8Array) => Promise<void>
}

/** Random bytes in the name that this node writes into marks of lanes that it takes over. */
const nameBytes = 9

/** Takes over the lanes whose nodes have written no mark for the time of a lease, and moves their open items to the queue. */
export class UnattendedLanes {
  readonly #parts: UnattendedLanesParts
  readonly #name = randomBytes(nameBytes).toString('base64url')
  /** Subject and sequence of the last mark of each lane that is empty. */
  #empty = new Map<string, number>()
  #looking: Promise<void> | undefined = undefined

  constructor(parts: UnattendedLanesParts) {
    this.#parts = parts
  }

  /** Checks all lanes. Concurrent calls share one check. Rejects when the storage fails. */
  async look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined))
    await this.#looking
  }

  async #look(): Promise<void> {
    const { streams, subjects, name, leaseMs, now, serverNow } = this.#parts
    const marks = await streams.marks.read(subjects.lane(name))
    this.#empty = new Map([...this.#empty].filter(([subject]) => marks.some((mark) => mark.subject === subject)))
    const isOld = ({ storedAt }: StoredMessage, time: number): boolean => time - storedAt >= leaseMs
    const old = marks.filter((mark) => this.#empty.get(mark.subject) !== mark.sequence && isOld(mark, now()))
    if (old.length === 0) return
    const time = await serverNow()
    for (const mark of old) if (isOld(mark, time)) await this.#reassign(mark)
  }

  async #reassign(last: StoredMessage): Promise<void> {
    const { subject, sequence } = last
    const { streams, subjects, name, isOwn, push } = this.#parts
    const mark = readLaneMark(last.text())
    if (mark === undefined) return
    const lane = textOfToken(subject.slice(subjects.lane(name).length - 1))
    if (isOwn(lane)) return
    const { message: newest } = await streams.items.last(subjects.held(name, lane))
    const isEmpty = mark.open.length === 0 && (newest === undefined || readHeldFields(newest).number <= mark.upTo)
    if (isEmpty) {
      await this.#clear(lane, newest)
      this.#empty.set(subject, sequence)
      return
    }
    // After this write the lane's node cannot write a mark, and no other node can take the lane over.
    const taken = await this.#write(subject, mark, sequence)
    if (taken === 'conflict') return
    let upTo = mark.upTo
    const items = await streams.items.read(subjects.held(name, lane))
    for (const item of items) {
      const { id, number } = readHeldFields(item)
      upTo = Math.max(upTo, number)
      if (isOpenIn(mark, number)) await push(id, item.data)
    }
    const closed = await this.#write(subject, { upTo, open: [] }, taken)
    if (closed !== 'conflict') await this.#clear(lane, items.at(-1))
  }

  /** Removes the items of a lane up to and including this one. A mark already says that they are done. */
  async #clear(lane: string, last: StoredMessage | undefined): Promise<void> {
    const { streams, subjects, name } = this.#parts
    if (last !== undefined) await streams.items.purge(subjects.held(name, lane), last.sequence + 1)
  }

  #write(
    subject: string,
    { upTo, open }: Pick<LaneMark, 'upTo' | 'open'>,
    expected: number,
  ): Promise<number | 'conflict'> {
    return this.#parts.streams.marks.publish(subject, printLaneMark({ by: this.#name, upTo, open }), { expected })
  }
}
