import { type Store, type Stored, type UnreadableReporter, readJson } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import { keyOfPath, pathOfKey, subjectPath } from '@junctor/nats'
import { JunctorError } from '@junctor/protocol'
import { RetentionPolicy } from '@nats-io/jetstream'
import { anyJson } from './any-json.ts'
import type { Storage } from './storage.ts'
import type { StoredOptions } from './stored-options.ts'
import type { StoredFields } from './stored-message.ts'
import { StoredTexts } from './stored-texts.ts'

/** Epoch milliseconds: readers treat a record with an earlier time as absent, even before the server removes it. */
const expiresField = 'expires'

/**
 * How much later than its expiry the server removes a record, in milliseconds: the clocks of nodes may differ this
 * much.
 */
const clockSlackMs = 60_000

/** The bucket of a store. `ttlMs`: how long a record lives after it was written last. */
export interface NatsStoreOptions extends StoredOptions {
  readonly ttlMs: number
}

/**
 * A store is a bucket as NATS's key-value clients know it, with one value for each key; revisions are its sequences. A
 * delete leaves no marker: a bucket contains only existing records. Values are sealed; keys are not, and a key that
 * `keys` lists may turn out to be absent.
 */
export class NatsStore<T extends JsonValue> implements Store<T> {
  readonly #options: NatsStoreOptions
  /** The prefix of the subjects of all keys. */
  readonly #root: string
  readonly #stream: StoredTexts
  readonly #unreadable: UnreadableReporter

  constructor(storage: Storage, options: NatsStoreOptions) {
    const { subjects, name, ttlMs } = options
    const bucket = subjects.bucket(name)
    this.#options = options
    this.#unreadable = storage.unreadable
    this.#root = `$KV.${bucket}.`
    this.#stream = new StoredTexts(
      storage,
      {
        kind: 'store',
        name: `KV_${bucket}`,
        subjects: `${this.#root}>`,
        retention: RetentionPolicy.Limits,
        perSubject: 1,
        maxAgeMs: ttlMs + clockSlackMs,
      },
      { subjects, owner: `kv ${name}`, maxAgeMs: ttlMs + 2 * clockSlackMs },
    )
  }

  async get(key: string): Promise<Stored<T> | undefined> {
    const { name, check } = this.#options
    check()
    const path = pathOfKey(key)
    if (path === undefined) return undefined
    const subject = this.#root + path
    let { message: record } = await this.#stream.last(subject)
    while (record !== undefined && this.#isLive(record)) {
      const text = await this.#stream.textOf(record)
      if (text !== undefined) {
        const read = readJson(anyJson<T>(), text)
        if (read.kind === 'read') return { value: read.value, revision: record.sequence }
        this.#unreadable('stored', name, read.problem)
        return undefined
      }
      const { message: again } = await this.#stream.last(subject)
      if (again?.sequence === record.sequence) {
        throw new JunctorError('FABRIC_UNAVAILABLE', `NATS has lost a part of what was stored in ${name}`)
      }
      // The record was deleted or replaced just now.
      record = again
    }
    return undefined
  }

  async put(key: string, value: T, revision?: number): Promise<number | 'conflict'> {
    const { ttlMs, check, now } = this.#options
    check()
    const subject = this.#root + subjectPath(key)
    const text = JSON.stringify(value)
    const fields = { [expiresField]: String(now() + ttlMs) }
    if (revision === undefined) return this.#stream.publish(subject, text, { fields })
    if (revision === 0) {
      const created = await this.#stream.publish(subject, text, { fields, expected: 0 })
      if (created !== 'conflict') return created
    }
    const { sequence, message } = await this.#stream.last(subject)
    const current = message !== undefined && this.#isLive(message) ? sequence : 0
    if (revision !== current) return 'conflict'
    // An expired or foreign record is still the last message.
    const stored = await this.#stream.publish(subject, text, { fields, expected: sequence })
    if (stored !== 'conflict' && message !== undefined) await this.#stream.dropPieces(message)
    return stored
  }

  async delete(key: string): Promise<void> {
    this.#options.check()
    const path = pathOfKey(key)
    if (path !== undefined) await this.#stream.delete(this.#root + path)
  }

  async keys(prefix: string): Promise<readonly string[]> {
    this.#options.check()
    const records = await this.#stream.readFields(this.#root + filterOf(prefix))
    const live = records.filter((record) => this.#isLive(record))
    const keys = live.map(({ subject }) => keyOfPath(subject.slice(this.#root.length)))
    return keys.filter((key) => key.startsWith(prefix))
  }

  #isLive(record: StoredFields): boolean {
    return Number(record.field(expiresField)) > this.#options.now()
  }
}

/** A filter for the subjects of all keys with a prefix, as exact as whole parts allow. */
function filterOf(prefix: string): string {
  const parts = prefix.split('.').slice(0, -1)
  return parts.length === 0 ? '>' : `${subjectPath(parts.join('.'))}.>`
}
