import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type { StorageKind } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamApiError,
  JetStreamApiCodes,
  PubHeaders,
  type RetentionPolicy,
  type StreamConfig,
  StorageType,
} from '@nats-io/jetstream'
import { headers, type Msg, nanos, TimeoutError } from '@nats-io/transport-node'
import { fetchMessages } from './fetch-messages.ts'
import { answerMs, operationMs, type Storage } from './storage.ts'
import { isConflict, isUnanswered, unavailable } from './storage-errors.ts'
import {
  fieldsHeader,
  fromDelivered,
  fromStored,
  type LastMessage,
  openMessage,
  placeOf,
  readFields,
  type SealedMessage,
  type StoredFields,
  type StoredMessage,
} from './stored-message.ts'
import { storedSealBytes } from '../seal/stored-seal.ts'
import { keepsLessLong, streamDifferences } from './stream-differences.ts'

/** A consumer that outlives its users. */
export interface LastingConsumer {
  readonly config: Partial<ConsumerConfig> & { readonly durable_name: string }
  /** Whether this node should create it: true for one of all nodes. */
  readonly isFirst: () => Promise<boolean>
}

/** The configuration of a stream for one kind of stored data. Times in milliseconds. */
export interface StreamShape {
  /** The kind of data. */
  readonly kind: StorageKind
  readonly name: string
  readonly subjects: string
  readonly retention: RetentionPolicy
  /** The number of messages on each subject; the oldest are removed. Default: no limit. */
  readonly perSubject?: number
  readonly maxAgeMs?: number
  /** A consumer that outlives its users. */
  readonly consumer?: LastingConsumer
}

/** What is published with a message, and under which condition. */
export interface PublishOptions {
  /** Short texts that are kept with the message. */
  readonly fields?: Readonly<Record<string, string>>
  /** Publish only if the last message of the subject has this sequence; 0: only if there is none. */
  readonly expected?: number
}

/** How long the server remembers the id of a published message, in milliseconds: longer than all attempts take. */
const duplicateMs = 30_000

/** Any server with a copy answers direct reads, and may be behind: only a single server always knows the last write. */
const readsDirectly = ({ num_replicas, allow_direct }: Partial<StreamConfig>): boolean =>
  num_replicas === 1 && allow_direct === true

/**
 * One stream of JetStream. Its data are sealed; data that do not open count as absent, and are counted.
 *
 * The stream is created when it is first needed, and again when the server has lost it. An existing stream with another
 * configuration is reported and used unchanged, because the operator of the servers may have reasons; only a retention
 * that is too short is extended. An operation that fails for lack of a server rejects with `FABRIC_UNAVAILABLE`; a
 * write may have happened then or not. An operation that the server refuses rejects with `FABRIC_REFUSED`, and has no
 * effect.
 */
export class StoredStream {
  readonly #storage: Storage
  readonly #shape: StreamShape
  #made: Promise<void> | undefined = undefined
  #readsDirectly = false
  #isReported = false

  constructor(storage: Storage, shape: StreamShape) {
    this.#storage = storage
    this.#shape = shape
  }

  /** The largest data of one message, in bytes. */
  get room(): number {
    return this.#storage.state.maxPayload - fieldBytes - storedSealBytes
  }

  /**
   * Resolves with the sequence of the stored message. A publish without an answer is repeated, but stored only once.
   */
  publish(subject: string, data: Uint8Array, options: PublishOptions = {}): Promise<number | 'conflict'> {
    const { room } = this
    if (data.length > room) {
      const message = `expected at most ${room} bytes to store, got ${data.length}: raise the NATS server's max_payload`
      return Promise.reject(new JunctorError('LIMIT_REACHED', message))
    }
    return this.#run((end) => this.#publish(subject, data, options, end), false)
  }

  /** The last message of a subject, from the server that accepts the writes: never an older one. */
  last(subject: string): Promise<LastMessage> {
    return this.#run(async () => {
      const found = await this.#last(subject)
      return { sequence: found?.sequence ?? 0, message: found && this.#open(found) }
    })
  }

  /** All messages of a subject, or of a filter of subjects, oldest first. */
  async read(filter: string): Promise<readonly StoredMessage[]> {
    const found = await this.#read(filter, false)
    return found.flatMap((one) => this.#open(one) ?? [])
  }

  /** The data beside the messages that `read` would return, without a proof. */
  async readFields(filter: string): Promise<readonly StoredFields[]> {
    const found = await this.#read(filter, true)
    return found.map(readFields)
  }

  /** A message that a consumer of the stream has delivered; undefined unless a node of the cluster has stored it. */
  opened(message: Msg): StoredMessage | undefined {
    return this.#open(fromDelivered(message))
  }

  #read(filter: string, fieldsOnly: boolean): Promise<readonly SealedMessage[]> {
    return this.#run(async (end) => {
      const { consumers } = this.#storage.manager
      const { name, num_pending } = await consumers.add(this.#shape.name, {
        ack_policy: AckPolicy.None,
        deliver_policy: DeliverPolicy.All,
        filter_subject: filter,
        headers_only: fieldsOnly,
        mem_storage: true,
        num_replicas: 1,
        inactive_threshold: nanos(2 * answerMs),
      })
      try {
        if (num_pending === 0) return []
        return await fetchMessages(this.#storage, { stream: this.#shape.name, name }, num_pending, end)
      } finally {
        // The server would remove it later anyway; nothing waits for the deletion.
        void consumers.delete(this.#shape.name, name).catch(() => {})
      }
    })
  }

  /** Deletes all messages of a subject, or those before a sequence. */
  purge(subject: string, before?: number): Promise<void> {
    return this.#run(async () => {
      const options = before === undefined ? { filter: subject } : { filter: subject, seq: before }
      await this.#storage.manager.streams.purge(this.#shape.name, options)
    })
  }

  /** Creates the stream, unless it is known to exist. */
  make(): Promise<void> {
    return this.#run(async () => {})
  }

  /** The stream may be missing: the next operation creates it again. */
  forget(): void {
    this.#made = undefined
  }

  /**
   * @param isRepeatable whether an operation without an answer may be repeated
   */
  async #run<Result>(work: (end: number) => Promise<Result>, isRepeatable: boolean = true): Promise<Result> {
    const { state } = this.#storage
    const end = performance.now() + operationMs
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      let isMade = false
      try {
        state.check()
        this.#made ??= this.#make()
        await this.#made
        isMade = true
        return await work(end)
      } catch (error) {
        if (error instanceof JunctorError && error.code !== 'FABRIC_UNAVAILABLE') throw error
        this.forget()
        const mayRepeat = isUnanswered(error) || (error instanceof TimeoutError && (isRepeatable || !isMade))
        if (!mayRepeat || performance.now() + pauseMs >= end) {
          state.failures[this.#shape.kind] += 1
          const failure = unavailable(error)
          if (!isMade && failure.code === 'FABRIC_REFUSED') this.#storage.refused.add(this)
          throw failure
        }
        await after(pauseMs)
      }
    }
  }

  async #make(): Promise<void> {
    const { manager, replicas } = this.#storage
    const { name, subjects, retention, perSubject = -1, maxAgeMs = 0, consumer } = this.#shape
    const config = {
      name,
      subjects: [subjects],
      retention,
      storage: StorageType.File,
      discard: retention === 'workqueue' ? DiscardPolicy.New : DiscardPolicy.Old,
      num_replicas: replicas,
      max_msgs_per_subject: perSubject,
      max_age: nanos(maxAgeMs),
      duplicate_window: nanos(maxAgeMs === 0 ? duplicateMs : Math.min(duplicateMs, maxAgeMs)),
      allow_direct: replicas === 1,
      allow_rollup_hdrs: true,
    }
    try {
      await manager.streams.add(config)
      this.#readsDirectly = readsDirectly(config)
    } catch (error) {
      // Another node may have created it, or may be creating it now.
      if (!streamIsThere.has((error as Partial<JetStreamApiError>).code)) throw error
      const { config: found } = await manager.streams.info(name)
      this.#readsDirectly = readsDirectly(found)
      const isTooShort = keepsLessLong(found, config)
      // Data must not be removed before the promised time.
      if (isTooShort) await manager.streams.update(name, { max_age: config.max_age })
      this.#report(streamDifferences(config, found), isTooShort ? ['max_age'] : [])
    }
    if (consumer !== undefined) await this.#makeConsumer(consumer)
    this.#storage.refused.delete(this)
  }

  #report(differences: readonly string[], changed: readonly string[]): void {
    if (this.#isReported || differences.length === 0) return
    this.#isReported = true
    const message =
      'a stream exists with another configuration than this node would give it; it is used unchanged, except for `changed`'
    this.#storage.log.warn(message, { stream: this.#shape.name, differences, changed })
  }

  /**
   * Creates a consumer. Old servers that get two concurrent requests create two, and one of them loses its requests.
   */
  async #makeConsumer({ config, isFirst }: LastingConsumer): Promise<void> {
    if (await this.#findConsumer(config)) return
    if (!(await isFirst())) {
      for (let look = 0; look < consumerLooks; look += 1) {
        await after(firstPauseMs)
        if (await this.#findConsumer(config)) return
      }
      // The node that should create it is gone. Other nodes notice that now, too.
      await after(Math.random() * longestPauseMs)
      if (await this.#findConsumer(config)) return
    }
    await this.#storage.manager.consumers.add(this.#shape.name, config)
  }

  /** Whether the consumer exists; if so, it is updated to this configuration. */
  async #findConsumer(config: LastingConsumer['config']): Promise<boolean> {
    const { consumers } = this.#storage.manager
    try {
      const known = await consumers.info(this.#shape.name, config.durable_name)
      if (known.config.ack_wait !== config.ack_wait) {
        await consumers.update(this.#shape.name, config.durable_name, config)
      }
      return true
    } catch (error) {
      if ((error as Partial<JetStreamApiError>).code !== JetStreamApiCodes.ConsumerNotFound) throw error
      return false
    }
  }

  #open(found: SealedMessage): StoredMessage | undefined {
    const { seal, foreign } = this.#storage
    const message = openMessage(found, this.#shape.name, seal)
    if (message === undefined) foreign.add('stored', found.subject)
    return message
  }

  async #last(subject: string): Promise<SealedMessage | undefined> {
    const { manager } = this.#storage
    const from = this.#readsDirectly ? manager.direct : manager.streams
    const message = await from.getMessage(this.#shape.name, { last_by_subj: subject })
    return message === null ? undefined : fromStored(message)
  }

  /** @param end when to give up, on the monotonic clock */
  async #publish(
    subject: string,
    data: Uint8Array,
    options: PublishOptions,
    end: number,
  ): Promise<number | 'conflict'> {
    const { jetStream } = this.#storage
    const { expected } = options
    const fields = options.fields === undefined ? '' : JSON.stringify(options.fields)
    const sealed = this.#storage.seal.close(placeOf(this.#shape.name, subject, fields), data)
    const sent = headers()
    const id = randomUUID()
    sent.set(PubHeaders.MsgIdHdr, id)
    sent.set(PubHeaders.ExpectedStreamHdr, this.#shape.name)
    if (expected !== undefined) sent.set(PubHeaders.ExpectedLastSubjectSequenceHdr, String(expected))
    if (fields !== '') sent.set(fieldsHeader, fields)
    for (let attempt = 1; ; attempt += 1) {
      try {
        const timeout = Math.max(1, Math.min(answerMs, end - performance.now()))
        const { seq } = await jetStream.publish(subject, sealed, { headers: sent, timeout })
        return seq
      } catch (error) {
        if (isConflict(error)) return attempt === 1 ? 'conflict' : await this.#ownSequence(subject, id)
        // The server may have received an earlier attempt: the caller must not repeat the publish under another id.
        const isOpen = error instanceof TimeoutError || (isUnanswered(error) && attempt > 1)
        if (!isOpen || performance.now() + longestPauseMs >= end) {
          throw attempt === 1 ? error : new TimeoutError({ cause: error })
        }
        if (isUnanswered(error)) await after(longestPauseMs)
      }
    }
  }

  /**
   * Finds the sequence of our own publish after a conflict. The conflict may be with an earlier attempt: newer servers
   * check the expected sequence before the id. Throws when the current message does not show that.
   */
  async #ownSequence(subject: string, id: string): Promise<number> {
    const last = await this.#last(subject)
    if (last?.id === id) return last.sequence
    throw new TimeoutError()
  }
}

/** How much of `max_payload` is reserved for the fields of a message and its headers. */
const fieldBytes = 1024

/** How often to check for a consumer that another node creates. */
const consumerLooks = 20

/** The first pause before a missing stream or consumer is tried again, in milliseconds. */
const firstPauseMs = 50

const longestPauseMs = 400

/** The stream name is in use, or, while another node creates the stream, its subjects are. */
const streamIsThere: ReadonlySet<number | undefined> = new Set([10058, 10065])
