import type { Log } from '@junctor/contracts'
import type { Subjects } from '@junctor/nats'
import { JunctorError } from '@junctor/protocol'
import { RetentionPolicy } from '@nats-io/jetstream'
import type { ClusterClock } from '../members/cluster-clock.ts'
import type { ForeignMessages } from '../bus/foreign-messages.ts'
import type { Storage } from './storage.ts'
import { StoredStream } from './stored-stream.ts'

/** The name of the bucket that holds the mark. */
const bucketName = 'cluster'

/** How long the mark lives after its last renewal, in milliseconds: then the cluster may begin with another key. */
const markMs = 60_000

/** How often each node renews the mark, in milliseconds. */
const renewMs = 15_000

/**
 * A node from which a message arrived within this time, in milliseconds, is alive: nodes announce every two seconds.
 */
const receivedWithinMs = 10_000

/** Whether a node has a key of its cluster. A member stays one, even if the mark changes later. */
type Membership = 'unknown' | 'member' | 'wrong_key'

const problems = {
  unknown: 'it is not known yet whether fabric.nats.key is a key of this cluster',
  wrong_key: 'fabric.nats.key is not a key of this cluster: the other nodes discard all messages of this node',
} as const

/**
 * Checks whether this node has a key of its cluster: its key must open a mark in NATS, which the first node sealed and
 * all nodes renew. A node without such a key must not take work that others could do, and stores nothing for them.
 */
export class KeyCheck {
  readonly #stream: StoredStream
  readonly #subject: string
  readonly #foreign: ForeignMessages
  readonly #log: Log
  readonly #clock: () => number
  readonly #time: Pick<ClusterClock, 'local' | 'measured'>
  readonly #waiting = new Set<() => void>()
  #membership: Membership = 'unknown'
  #renewedAt = -Infinity

  /**
   * @param clock returns milliseconds, monotonic
   * @param time receives the server's time at each renewal of the mark
   */
  constructor(
    storage: Storage,
    subjects: Subjects,
    clock: () => number,
    time: Pick<ClusterClock, 'local' | 'measured'>,
  ) {
    this.#time = time
    const bucket = subjects.bucket(bucketName)
    this.#subject = `$KV.${bucket}.key`
    this.#foreign = storage.foreign
    this.#log = storage.log
    this.#clock = clock
    this.#stream = new StoredStream(storage, {
      kind: 'store',
      name: `KV_${bucket}`,
      subjects: `$KV.${bucket}.>`,
      retention: RetentionPolicy.Limits,
      perSubject: 1,
      maxAgeMs: markMs,
    })
  }

  get isMember(): boolean {
    return this.#membership === 'member'
  }

  get hasWrongKey(): boolean {
    return this.#membership === 'wrong_key'
  }

  /** Why this node does not take part, for its operator. */
  get problem(): string | undefined {
    return this.#membership === 'member' ? undefined : problems[this.#membership]
  }

  /** Throws `FABRIC_UNAVAILABLE` unless this node is a member of the cluster. */
  check(): void {
    const { problem } = this
    if (problem !== undefined) throw new JunctorError('FABRIC_UNAVAILABLE', problem)
  }

  /**
   * Calls `then` when this node is a member of the cluster, immediately or later, unless the returned function is
   * called.
   */
  whenMember(then: () => void): () => void {
    if (this.isMember) {
      then()
      return () => {}
    }
    this.#waiting.add(then)
    return () => void this.#waiting.delete(then)
  }

  /** Checks the mark, and renews it. Rejects when NATS does. */
  async look(): Promise<void> {
    let askedAt = this.#time.local
    for (let written: number | 'conflict' = 'conflict'; written === 'conflict';) {
      // The write is conditional, so no other node can decide meanwhile.
      // oxlint-disable-next-line no-await-in-loop
      const { sequence, message } = await this.#stream.last(this.#subject)
      if (message !== undefined) this.#become('member')
      else if (!this.isMember && !this.#mayBegin(sequence)) {
        this.#become('wrong_key')
        return
      }
      if (message !== undefined && this.#clock() - this.#renewedAt < renewMs) return
      askedAt = this.#time.local
      // oxlint-disable-next-line no-await-in-loop
      written = await this.#stream.publish(this.#subject, mark, { expected: sequence })
    }
    this.#renewedAt = this.#clock()
    this.#become('member')
    // If another node has written since, its message was stored in the same interval.
    const { message } = await this.#stream.last(this.#subject)
    if (message !== undefined) this.#time.measured(message.storedAt, askedAt, this.#time.local)
  }

  /** Whether this node may write the first mark: there is none, and no other member that is about to renew it. */
  #mayBegin(sequence: number): boolean {
    const isFirst = this.#membership === 'unknown'
    return sequence === 0 && (isFirst || this.#clock() - this.#foreign.receivedAt >= receivedWithinMs)
  }

  #become(membership: 'member' | 'wrong_key'): void {
    if (this.#membership === membership) return
    this.#membership = membership
    if (membership === 'wrong_key') this.#log.error(`this node takes no part: ${problems.wrong_key}`)
    else for (const then of this.#waiting) then()
    if (membership === 'member') this.#waiting.clear()
  }
}

const mark = Buffer.from('a node with this key is there')
