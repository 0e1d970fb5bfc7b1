import { setTimeout as after } from 'node:timers/promises'
import { type Held, type Lease, type Queue, readJson } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import { keyOfPath } from '@junctor/nats'
import { AckPolicy, RetentionPolicy } from '@nats-io/jetstream'
import { Empty, type Msg, nanos } from '@nats-io/transport-node'
import { ConsumerCheck } from '../storage/consumer-check.ts'
import { nextSubject } from '../storage/fetch-messages.ts'
import { HeldLane } from './held-lane.ts'
import { createHeldStreams, type HeldStreams } from './held-streams.ts'
import { UnattendedLanes } from './unattended-lanes.ts'
import { type LoanVerdict, loanVerdict, printLoanNote, readLoanNote } from './loan-note.ts'
import { NatsLease } from './nats-lease.ts'
import { pullItem } from './pull-item.ts'
import { anyJson } from '../storage/any-json.ts'
import type { Storage } from '../storage/storage.ts'
import type { StoredOptions } from '../storage/stored-options.ts'
import { type LastingConsumer, StoredStream } from '../storage/stored-stream.ts'

/** The one consumer of a queue's stream, which all takers share. */
const consumer = 'takers'

/** The id, used by no item, under which the node that creates the consumer writes a note. */
const firstId = '$first'

/** The id, used by no item, under which a node writes to learn the server's time. */
const nowId = '$now'

/** How long to wait before asking a server again that could not serve takers, in milliseconds. */
const refusedMs = 250

/** How much longer than a loan its note is kept, in milliseconds. */
const noteMs = 60_000

/** The streams of a queue. `leaseMs`: how long a node may hold an item without renewing its loan. */
export interface NatsQueueOptions extends StoredOptions {
  /** Whether this node may take items: a node without a key of the cluster waits until it has one. */
  readonly mayTake: () => boolean
  readonly leaseMs: number
}

/**
 * A queue is a stream from which the server removes finished items, with a subject for each id, and a second stream of
 * notes: the last note of an id defines whose loan is valid, and the sequence of a loan's first note is its fence.
 * Notes are only written, and expire: they still contain the removals and deliveries that a killed server has
 * forgotten.
 */
export class NatsQueue<T extends JsonValue> implements Queue<T> {
  readonly #storage: Storage
  readonly #options: NatsQueueOptions
  readonly #consumer: LastingConsumer['config']
  readonly #items: StoredStream
  readonly #loans: StoredStream
  readonly #check: ConsumerCheck
  readonly #held = new Set<Lease<T>>()
  readonly #takers = new Set<AbortController>()
  readonly #heldIn: HeldStreams
  readonly #unattendedLanes: UnattendedLanes
  #lane: HeldLane<T>
  /** The timer with which a node that takes items checks lanes of nodes that may be lost. */
  #looks: NodeJS.Timeout | undefined = undefined
  #hasLeft = false

  constructor(storage: Storage, options: NatsQueueOptions) {
    const { subjects, name, leaseMs } = options
    this.#consumer = {
      durable_name: consumer,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(leaseMs),
      max_ack_pending: -1,
    }
    this.#storage = storage
    this.#options = options
    this.#items = new StoredStream(storage, {
      kind: 'queue',
      name: subjects.stream('queue', name),
      subjects: subjects.item(name),
      retention: RetentionPolicy.Workqueue,
      consumer: {
        config: this.#consumer,
        isFirst: async () => {
          const noted = await this.#loans.publish(subjects.loan(name, firstId), Empty, { expected: 0 })
          return noted !== 'conflict'
        },
      },
    })
    this.#check = new ConsumerCheck(storage, subjects.stream('queue', name), consumer)
    this.#loans = new StoredStream(storage, {
      kind: 'queue',
      name: subjects.stream('loans', name),
      subjects: subjects.loan(name),
      retention: RetentionPolicy.Limits,
      perSubject: 1,
      maxAgeMs: leaseMs + noteMs,
    })
    this.#heldIn = createHeldStreams(storage, subjects, name)
    this.#lane = this.#newLane()
    this.#unattendedLanes = new UnattendedLanes({
      streams: this.#heldIn,
      subjects,
      name,
      leaseMs,
      now: options.now,
      push: this.#pushText,
      serverNow: () => this.#now(),
      isOwn: (lane) => lane === this.#lane.name,
    })
  }

  async push(id: string, value: T): Promise<void> {
    this.#options.check()
    await this.#pushText(id, Buffer.from(JSON.stringify(value)))
  }

  async hold(id: string, value: T): Promise<Held<T>> {
    this.#options.check()
    // Here nothing is sent yet.
    this.#storage.state.check()
    for (;;) {
      if (this.#lane.isLost) this.#lane = this.#newLane()
      // oxlint-disable-next-line no-await-in-loop -- a lane that is lost is followed by another one
      const held = await this.#lane.hold(id, value)
      if (held.kind !== 'lost') return held
    }
  }

  async take(signal: AbortSignal): Promise<Lease<T> | undefined> {
    if (this.#options.mayTake()) this.#options.check()
    if (signal.aborted || this.#hasLeft) return undefined
    this.#looks ??= setInterval(() => void this.#lookAfterLanes(), this.#options.leaseMs / 2).unref()
    const taker = new AbortController()
    const abort = (): void => taker.abort()
    signal.addEventListener('abort', abort, { once: true })
    this.#takers.add(taker)
    try {
      return await this.#take(taker.signal)
    } finally {
      this.#takers.delete(taker)
      signal.removeEventListener('abort', abort)
    }
  }

  /** Ends the waits of the node, and gives back its loans. */
  async leave(): Promise<void> {
    this.#hasLeft = true
    clearInterval(this.#looks)
    for (const taker of this.#takers) taker.abort()
    // Without a server the loans expire.
    await Promise.allSettled([...[...this.#held].map((lease) => lease.release()), this.#lane.leave()])
  }

  #newLane(): HeldLane<T> {
    const { subjects, name, leaseMs } = this.#options
    return new HeldLane<T>({ streams: this.#heldIn, subjects, name, leaseMs, push: this.#pushText })
  }

  /** On a conflict the id exists already, waiting or on loan. */
  readonly #pushText = async (id: string, text: Uint8Array): Promise<void> => {
    const { subjects, name } = this.#options
    await this.#items.publish(subjects.item(name, id), text, { expected: 0 })
  }

  async #lookAfterLanes(): Promise<void> {
    if (!this.#options.mayTake() || !this.#storage.state.isConnected) return
    try {
      await this.#unattendedLanes.look()
    } catch (error) {
      this.#storage.log.debug('the lanes of nodes that may have left could not be checked', { error })
    }
  }

  async #take(signal: AbortSignal): Promise<Lease<T> | undefined> {
    const { subjects, name } = this.#options
    const subject = nextSubject(subjects.stream('queue', name), consumer)
    while (!signal.aborted) {
      if (!this.#options.mayTake()) {
        await after(refusedMs, undefined, { signal }).catch(() => {})
        continue
      }
      if (await this.#check.look()) await this.#makeAgain()
      await this.#items.make()
      const pulled = await pullItem(this.#storage, subject, signal)
      if (pulled.kind === 'item') {
        const lease = await this.#lend(pulled.message, signal)
        if (lease !== undefined) return lease
      }
      if (pulled.kind === 'refused') {
        this.#items.forget()
        await after(refusedMs, undefined, { signal }).catch(() => {})
      }
    }
    return undefined
  }

  /**
   * The node that deletes the consumer recreates it; the others wait. Old servers lose requests if it is created twice.
   */
  async #makeAgain(): Promise<void> {
    const { subjects, name } = this.#options
    const stream = subjects.stream('queue', name)
    const { consumers } = this.#storage.manager
    try {
      await this.#loans.publish(subjects.loan(name, firstId), Empty)
      await consumers.delete(stream, consumer)
      await consumers.add(stream, this.#consumer)
    } catch {
      this.#items.forget()
    }
  }

  /**
   * Undefined when the taker no longer waits, or the item is done or belongs to another node, or lending took so long
   * that it may belong to another node by now.
   */
  async #lend(message: Msg, signal: AbortSignal): Promise<Lease<T> | undefined> {
    const { subjects, name, leaseMs } = this.#options
    const at = performance.now()
    const opened = this.#items.opened(message)
    if (opened === undefined) {
      // No node of the cluster has pushed it: it is removed, and delivered to no other node.
      message.respond('+TERM')
      return undefined
    }
    const id = keyOfPath(message.subject.slice(subjects.item(name).length - 1))
    const subject = subjects.loan(name, id)
    const { sequence: item } = opened
    const read = readJson(anyJson<T>(), opened.text())
    if (read.kind === 'unreadable') {
      this.#storage.unreadable('stored', name, read.problem)
      // No node can run it.
      message.respond('+TERM')
      return undefined
    }
    try {
      const note = await this.#note(subject, item, message)
      if (note === undefined) return undefined
      if (signal.aborted) {
        await this.#loans.publish(subject, printLoanNote({ state: 'free', item }), { expected: note })
        message.respond('-NAK')
      }
      if (signal.aborted || performance.now() >= at + leaseMs) return undefined
      const lease: NatsLease<T> = new NatsLease<T>(
        { id, value: read.value, message, item, note, at },
        {
          connection: this.#storage.connection,
          loans: this.#loans,
          subject,
          leaseMs,
          over: () => this.#held.delete(lease),
        },
      )
      this.#held.add(lease)
      return lease
    } catch (error) {
      message.respond('-NAK')
      throw error
    }
  }

  /** Records the loan in a note, and returns the note's sequence; undefined when the item must not be lent. */
  async #note(subject: string, item: number, message: Msg): Promise<number | undefined> {
    const held = printLoanNote({ state: 'held', item })
    const first = await this.#loans.publish(subject, held, { expected: 0 })
    if (first !== 'conflict') return first
    const { sequence, message: last } = await this.#loans.last(subject)
    const known = last === undefined ? undefined : readLoanNote(last.text())
    const verdict: LoanVerdict =
      last === undefined || known === undefined
        ? { kind: 'lend' }
        : loanVerdict(item, known, (await this.#now()) - last.storedAt, this.#options.leaseMs)
    if (verdict.kind === 'done') message.respond('+ACK')
    if (verdict.kind === 'held') message.respond(`-NAK ${JSON.stringify({ delay: nanos(verdict.waitMs) })}`)
    if (verdict.kind !== 'lend') return undefined
    const note = await this.#loans.publish(subject, held, { expected: sequence })
    // On a conflict another node has the item.
    return note === 'conflict' ? undefined : note
  }

  /** The server's time, in epoch milliseconds: notes are dated by it. */
  async #now(): Promise<number> {
    const subject = this.#options.subjects.loan(this.#options.name, nowId)
    await this.#loans.publish(subject, Empty)
    return (await this.#loans.last(subject)).message?.storedAt ?? 0
  }
}
