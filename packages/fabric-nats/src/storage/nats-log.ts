import type { EntryLog, LogBounds, LogEntry } from '@junctor/contracts'
import { entryBytes } from '@junctor/fabric'
import { JunctorError } from '@junctor/protocol'
import { RetentionPolicy } from '@nats-io/jetstream'
import type { Storage } from './storage.ts'
import type { StoredOptions } from './stored-options.ts'
import type { LastMessage, StoredFields } from './stored-message.ts'
import { StoredTexts } from './stored-texts.ts'

/** The number of an entry among those of its key. */
const sequenceField = 'sequence'

const bytesField = 'bytes'

/**
 * The size of all entries that the key ever had, including this one: the difference of two is the size between them.
 */
const totalField = 'total'

/**
 * How much longer than its entries a key's last entry stays on the server, in milliseconds: a client that returns
 * within a day learns by the numbers what it has missed.
 */
const numbersMs = 24 * 60 * 60_000

/** The largest expected difference between the clocks of nodes and the server, in milliseconds. */
const clockSlackMs = 60_000

/** How many other appends to a key may come between the choice of an entry's number and its storage. */
const attempts = 1_000

/** The stream of a log, and how much of it is kept. */
export interface NatsLogOptions extends StoredOptions {
  readonly bounds: LogBounds
}

/**
 * A log is a stream with a subject for each key. An entry is stored only directly after the entry from which its number
 * was counted, so that numbers have no gaps with concurrent writers.
 */
export class NatsLog implements EntryLog {
  readonly #options: NatsLogOptions
  readonly #stream: StoredTexts

  constructor(storage: Storage, options: NatsLogOptions) {
    const { subjects, name, bounds } = options
    this.#options = options
    this.#stream = new StoredTexts(
      storage,
      {
        kind: 'log',
        name: subjects.stream('log', name),
        subjects: subjects.entries(name),
        retention: RetentionPolicy.Limits,
        perSubject: bounds.entries,
        maxAgeMs: bounds.ageMs + numbersMs,
      },
      { subjects, owner: `log ${name}`, maxAgeMs: bounds.ageMs + clockSlackMs },
    )
  }

  async append(key: string, value: string): Promise<number> {
    const { subjects, name, bounds, check } = this.#options
    check()
    const bytes = entryBytes(value, bounds)
    const subject = subjects.entries(name, key)
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { sequence: position, message: last } = await this.#last(subject)
      const sequence = sequenceOf(last) + 1
      const total = totalOf(last) + bytes
      const fields = { [sequenceField]: String(sequence), [bytesField]: String(bytes), [totalField]: String(total) }
      const stored = await this.#stream.publish(subject, value, { fields, expected: position })
      if (stored === 'conflict') continue
      // Readers ignore entries beyond the limit immediately; the server need not remove them each time.
      if (crosses(total, bytes, bounds.bytes)) await this.#trim(subject)
      return sequence
    }
    throw new JunctorError('FABRIC_UNAVAILABLE', `too many append to one key of the log ${name} at the same time`)
  }

  async read(key: string, after: number): Promise<readonly LogEntry[]> {
    const { subjects, name, check } = this.#options
    check()
    const subject = subjects.entries(name, key)
    const { message: last } = await this.#last(subject)
    if (last === undefined || sequenceOf(last) <= after) return []
    const messages = sequenceOf(last) === after + 1 ? [last] : await this.#stream.read(subject)
    const wanted = this.#kept(messages).filter((message) => sequenceOf(message) > after)
    const entries = await Promise.all(
      wanted.map(async (message) => ({ sequence: sequenceOf(message), value: await this.#stream.textOf(message) })),
    )
    // The numbers reveal an entry that the server has partly lost; the other entries are returned.
    return entries.filter((entry): entry is LogEntry => entry.value !== undefined)
  }

  async drop(key: string): Promise<void> {
    const { subjects, name, check } = this.#options
    check()
    await this.#stream.purge(subjects.entries(name, key))
  }

  /** The last entry of a key. Another party may have stored a foreign message after it. */
  async #last(subject: string): Promise<LastMessage> {
    const { sequence, message } = await this.#stream.last(subject)
    const isHidden = message === undefined && sequence > 0
    return { sequence, message: isHidden ? (await this.#stream.read(subject)).at(-1) : message }
  }

  /** The messages within the limits. */
  #kept<Message extends StoredFields>(messages: readonly Message[]): readonly Message[] {
    const { bounds, now } = this.#options
    const total = totalOf(messages.at(-1))
    const oldest = now() - bounds.ageMs
    return messages.filter(
      (message) => message.storedAt > oldest && total - totalOf(message) + bytesOf(message) <= bounds.bytes,
    )
  }

  async #trim(subject: string): Promise<void> {
    const messages = await this.#stream.readFields(subject)
    const oldest = this.#kept(messages)[0]
    // Old servers treat a purge before the first message as a purge of everything.
    if (oldest !== undefined && oldest !== messages[0]) await this.#stream.purge(subject, oldest.sequence)
  }
}

function sequenceOf(message: StoredFields | undefined): number {
  return Number(message?.field(sequenceField) ?? 0)
}

function totalOf(message: StoredFields | undefined): number {
  return Number(message?.field(totalField) ?? 0)
}

function bytesOf(message: StoredFields): number {
  return Number(message.field(bytesField))
}

/** Whether the total passes a multiple of the limit: true once for each time that the limit is filled again. */
function crosses(total: number, bytes: number, bound: number): boolean {
  return Math.floor(total / bound) > Math.floor((total - bytes) / bound)
}
